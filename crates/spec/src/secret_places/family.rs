//! Variables that make one credential together: a key id is of no use without its secret.
//!
//! ATIP names one variable per method, so a description that names one of such a family means all of it. The families
//! are those of the vendors' own documentation; a name that stands in none is on its own.

/// Variables that go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CredentialFamily {
    /// Those whose values nobody sees.
    pub secrets: &'static [&'static str],
    /// Those that say where, or as whom, the others are used.
    pub beside: &'static [&'static str],
}

const fn family(secrets: &'static [&'static str], beside: &'static [&'static str]) -> CredentialFamily {
    CredentialFamily { secrets, beside }
}

const FAMILIES: &[CredentialFamily] = &[
    // A session token only goes with its key; region and profile say where and as whom it is used.
    family(
        &["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
        &["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"],
    ),
    family(&["AZURE_CLIENT_SECRET"], &["AZURE_CLIENT_ID", "AZURE_TENANT_ID"]),
    family(
        &["ARM_CLIENT_SECRET"],
        &["ARM_CLIENT_ID", "ARM_TENANT_ID", "ARM_SUBSCRIPTION_ID"],
    ),
    family(
        &[
            "ALIBABA_CLOUD_ACCESS_KEY_ID",
            "ALIBABA_CLOUD_ACCESS_KEY_SECRET",
            "ALIBABA_CLOUD_SECURITY_TOKEN",
        ],
        &[],
    ),
    family(&["TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY"], &[]),
    family(
        &["SCW_ACCESS_KEY", "SCW_SECRET_KEY"],
        &["SCW_DEFAULT_PROJECT_ID", "SCW_DEFAULT_ORGANIZATION_ID"],
    ),
    family(&["B2_APPLICATION_KEY_ID", "B2_APPLICATION_KEY"], &[]),
    family(
        &[
            "OVH_APPLICATION_KEY",
            "OVH_APPLICATION_SECRET",
            "OVH_CONSUMER_KEY",
        ],
        &[],
    ),
    // The global key needs the address of its account; the token stands for both.
    family(
        &["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_API_KEY"],
        &["CLOUDFLARE_EMAIL", "CLOUDFLARE_ACCOUNT_ID"],
    ),
    family(&["DD_API_KEY", "DD_APP_KEY"], &["DD_SITE"]),
    family(
        &["TWILIO_AUTH_TOKEN", "TWILIO_API_KEY", "TWILIO_API_SECRET"],
        &["TWILIO_ACCOUNT_SID"],
    ),
    // gh takes either, and the others for servers of one's own.
    family(
        &[
            "GH_TOKEN",
            "GITHUB_TOKEN",
            "GH_ENTERPRISE_TOKEN",
            "GITHUB_ENTERPRISE_TOKEN",
        ],
        &[],
    ),
    family(&["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"], &[]),
    family(&["VERCEL_TOKEN"], &["VERCEL_ORG_ID", "VERCEL_PROJECT_ID"]),
    family(&["NETLIFY_AUTH_TOKEN"], &["NETLIFY_SITE_ID"]),
    family(&["FLY_API_TOKEN", "FLY_ACCESS_TOKEN"], &[]),
    family(&["SUPABASE_ACCESS_TOKEN", "SUPABASE_DB_PASSWORD"], &[]),
    family(&["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"], &[]),
    family(&["SENTRY_AUTH_TOKEN"], &["SENTRY_ORG", "SENTRY_PROJECT"]),
];

/// Returns the family that a variable which holds a credential is of.
pub fn credential_family(name: &str) -> Option<CredentialFamily> {
    let mut families = FAMILIES.iter().copied();
    families.find(|family| family.secrets.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_with_its_secret_and_no_name_is_of_two_families() {
        let aws = credential_family("AWS_ACCESS_KEY_ID").unwrap();
        assert!(aws.secrets.contains(&"AWS_SECRET_ACCESS_KEY") && aws.secrets.contains(&"AWS_SESSION_TOKEN"));
        assert_eq!(credential_family("AWS_SECRET_ACCESS_KEY"), Some(aws));
        // Who is only told where does not get the key to it.
        assert_eq!(credential_family("AWS_REGION"), None);
        assert_eq!(credential_family("HEROKU_API_KEY"), None);
        let each = FAMILIES.iter().flat_map(|family| [family.secrets, family.beside]);
        let mut all: Vec<&str> = each.flatten().copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
