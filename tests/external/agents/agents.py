"""What is to know about each agent: what it wants to be told, and how its tools are called."""

import json


class Agent:
    """One agent: its model's host, variables of the caller, and its tools. `{url}`, `{work}` and `{line}` are filled in."""

    def __init__(self, name, host, env, shell, look, free=(), settings=None, gives_up=False, hides=False):
        self.name = name
        self.host = host
        self.env = env
        # A tool that runs a line of shell, for which the agent asks first.
        self.shell = shell
        # A tool that only looks, and the flags with which the agent does not ask for it.
        self.look = look
        self.free = free
        # A file below the agent's own home that has to be there, and what it says.
        self.settings = settings
        # Whether a no ends its turn, and whether it keeps the tools of servers from the model until that asks for them.
        self.gives_up = gives_up
        self.hides = hides

    def variables(self, url):
        """What the caller's environment has for it."""
        return {name: value.replace("{url}", url) for name, value in self.env.items()}

    def change(self, line):
        """A call that runs a line of shell."""
        return filled(self.shell, {"{line}": line})

    def looking(self, work):
        """A call that looks around."""
        return filled(self.look, {"{work}": str(work)})


def filled(call, words):
    """A call with its words filled in."""
    tool, arguments = call
    text = json.dumps(arguments)
    for word, value in words.items():
        text = text.replace(word, json.dumps(value)[1:-1])
    return {"tool": tool, "arguments": json.loads(text)}


KEY = "key-of-the-test"

GOOSE = Agent(
    name="goose",
    host="api.openai.com",
    env={"GOOSE_PROVIDER": "openai", "GOOSE_MODEL": "fake", "OPENAI_API_KEY": KEY, "OPENAI_HOST": "{url}"},
    shell=("shell", {"command": "{line}"}),
    look=("tree", {"path": "."}),
    free=["--mode", "smart-approve"],
)
GEMINI = Agent(
    name="gemini",
    host="generativelanguage.googleapis.com",
    env={"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "{url}"},
    shell=("run_shell_command", {"command": "{line}"}),
    look=("read_file", {"file_path": "notes.txt"}),
)

# Those that are tried on demand.
PROVIDER = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "{url}/v1", "apiKey": KEY}, "models": {"fake": {"tool_call": True}}}
OPENCODE = Agent(
    name="opencode",
    host="api.openai.com",
    env={
        "OPENCODE_CONFIG_CONTENT": json.dumps(
            {"model": "fake/fake", "provider": {"fake": PROVIDER}, "permission": {"bash": "ask", "edit": "ask"}}
        )
    },
    shell=("bash", {"command": "{line}", "description": "run it"}),
    look=("read", {"filePath": "{work}/notes.txt"}),
    gives_up=True,
)
CLAUDE = Agent(
    name="claude",
    host="api.anthropic.com",
    env={"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_MODEL": "fake"},
    shell=("Bash", {"command": "{line}", "description": "run it"}),
    look=("Read", {"file_path": "{work}/notes.txt"}),
    hides=True,
)
CODEX = Agent(
    name="codex",
    host="api.openai.com",
    env={"OPENAI_API_KEY": KEY},
    shell=("exec_command", {"cmd": "{line}"}),
    look=("exec_command", {"cmd": "cat notes.txt"}),
    settings=(
        ".codex/config.toml",
        'model = "fake"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "{url}/v1"\n'
        'wire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n',
    ),
)
QWEN = Agent(
    name="qwen",
    host="api.openai.com",
    env={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "{url}/v1", "OPENAI_MODEL": "fake"},
    shell=("run_shell_command", {"command": "{line}", "is_background": False, "description": "run it"}),
    look=("read_file", {"file_path": "{work}/notes.txt"}),
)

ALL = {agent.name: agent for agent in (GOOSE, GEMINI, OPENCODE, CLAUDE, CODEX, QWEN)}
