//! The draft's export: each tool as a function of OpenAI, its schema byte for byte as the manifest has it.

use serde_json::Value;

use super::manifest::{Manifest, Schema};

/// Returns the tools of a manifest as OpenAI takes them: a JSON array in one line, apart from the schemas' own lines.
pub fn openai(manifest: &Manifest) -> String {
    let tools = manifest.tools.iter();
    let tools: Vec<String> = tools
        .map(|tool| {
            let schema = tool.schema.as_ref().map(Schema::text);
            openai_text(&tool.name, tool.description.as_deref(), schema)
        })
        .collect();
    format!("[{}]", tools.join(","))
}

/// Returns one tool. What the manifest does not say is left out.
pub fn openai_text(name: &str, description: Option<&str>, schema: Option<&str>) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut function = format!("{{\"name\":{}", quoted(name));
    if let Some(description) = description {
        function.push_str(",\"description\":");
        function.push_str(&quoted(description));
    }
    if let Some(schema) = schema {
        function.push_str(",\"parameters\":");
        function.push_str(schema);
    }
    format!("{{\"type\":\"function\",\"function\":{function}}}}}")
}
