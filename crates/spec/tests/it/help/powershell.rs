//! PowerShell and .NET.

use super::check;

#[test]
fn parameters() {
    check(
        "Get-Lamp",
        r#"NAME
    Get-Lamp

SYNTAX
    Get-Lamp [[-Name] <string[]>] [-Colour {Red | Green}] [-Force]  [<CommonParameters>]

PARAMETERS
    -Colour <string>
        Which colour.

        Required?                    false
        Position?                    Named

    -Force
        Do not ask.

    -Name <string[]>
        Which lamps.
"#,
        r#"# Get-Lamp
-Colour <string>: Which colour. Required? false Position? Named
-Force: Do not ask.
-Name <string[]>: Which lamps."#,
    );
}

#[test]
fn dotnet() {
    check(
        "grinder",
        r#"Description:
  Grind coffee

Usage:
  grinder [command] [options] <beans>

Arguments:
  <beans>  The beans

Options:
  -c, --coarse <coarse>    How coarse [default: 3]
  -d|--dry                 Do nothing
  --mode <Fast|Slow>       Speed []
  -?, -h, --help           Show help and usage information
  --version                Show version information

Commands:
  clean, c <part>  Clean a part
"#,
        r#"# Grind coffee
-c --coarse <coarse> = 3: How coarse [default: 3]
-d --dry: Do nothing
--mode <Fast|Slow>: Speed []
-? -h --help: Show help and usage information
--version: Show version information
$ clean, c: Clean a part
> beans: The beans"#,
    );
}
