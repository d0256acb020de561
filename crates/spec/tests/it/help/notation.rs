//! Grammars, and lists with signs instead of gaps.

use super::check;

#[test]
fn a_grammar() {
    check(
        "net",
        r#"Usage: net [ OPTIONS ] OBJECT { COMMAND | help }
where  OBJECT := { address | link |
                   route }
       OPTIONS := { -V[ersion] | -s[tatistics] | -iec |
                    -f[amily] { inet | inet6 } | -4 |
                    -n[etns] name }
"#,
        r#"-V:
-s:
-iec:
-f <inet|inet6>:
-4:
-n <name>:
$ address:
$ link:
$ route:"#,
    );
}

#[test]
fn names_and_dashes() {
    check(
        "parcel",
        r#"parcel 2.6 (amd64)
Usage: parcel [options] command

parcel manages parcels.

Most used commands:
  list - list parcels based on names
  search - search in descriptions
  full-upgrade - upgrade by removing/installing

See parcel(8) for more information about the available commands.
                                        This one has no powers.
"#,
        r#"# parcel manages parcels.
$ list: list parcels based on names
$ search: search in descriptions
$ full-upgrade: upgrade by removing/installing"#,
    );
}

#[test]
fn colons_and_no_placeholders() {
    check(
        "sky vm create",
        r#"
Command
    sky vm create : Create a machine.

Arguments
    --name -n         [Required] : Name of the machine.
    --resource-group -g          : Name of resource group. You can configure the default group.
    --image                      : The name of the image.  Allowed values: big, small.
    --no-wait                    : Do not wait for the long-running operation to finish.

Global Arguments
    --debug                      : Increase logging verbosity to show all debug logs.
    --output -o                  : Output format.  Allowed values: json, jsonc, none, table.  Default: json.

Examples
    Create a machine
        sky vm create -n x --image big
"#,
        r#"--name -n <> !: [Required] : Name of the machine.
--resource-group -g <>: Name of resource group. You can configure the default group.
--image <big|small>: The name of the image. Allowed values: big, small.
--no-wait: Do not wait for the long-running operation to finish.
--debug: Increase logging verbosity to show all debug logs.
--output -o <json|jsonc|none|table> = json: Output format. Allowed values: json, jsonc, none, table. Default: json."#,
    );
}

#[test]
fn groups_with_colons() {
    check(
        "sky vm",
        r#"
Group
    sky vm : Manage machines.

Subgroups:
    disk          : Manage disks.
    image         : Information on images.

Commands:
    create        : Create a machine.
    list          : List machines.
"#,
        r#"# Group sky vm : Manage machines.
$ disk: Manage disks.
$ image: Information on images.
$ create: Create a machine.
$ list: List machines."#,
    );
}
