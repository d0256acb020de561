"""What is to know about each agent: what it wants to be told, and the names of its tools."""


class Agent:
    """One agent: variables of the caller, the host of its model, and how its tools are called."""

    def __init__(self, name, host, env, shell, quiet, asking, free):
        self.name = name
        self.host = host
        self.env = env
        # A tool that changes something: its name, and its arguments for a line of shell.
        self.shell = shell
        # A tool that the agent uses without asking, and its arguments.
        self.quiet = quiet
        # Flags with which changes are asked for, and with which nothing is.
        self.asking = asking
        self.free = free

    def variables(self, port):
        """What the caller's environment has for it."""
        return {name: value.format(url=f"http://{self.host}:{port}") for name, value in self.env.items()}

    def change(self, line):
        """A call that runs a line of shell."""
        tool, key = self.shell
        return {"tool": tool, "arguments": {key: line}}


GOOSE = Agent(
    name="goose",
    host="api.openai.com",
    env={"GOOSE_PROVIDER": "openai", "GOOSE_MODEL": "fake", "OPENAI_API_KEY": "key-of-the-test", "OPENAI_HOST": "{url}"},
    shell=("shell", "command"),
    quiet={"tool": "tree", "arguments": {"path": "."}},
    asking=["--mode", "approve"],
    free=["--mode", "auto"],
)
GEMINI = Agent(
    name="gemini",
    host="generativelanguage.googleapis.com",
    env={"GEMINI_API_KEY": "key-of-the-test", "GOOGLE_GEMINI_BASE_URL": "{url}"},
    shell=("run_shell_command", "command"),
    quiet={"tool": "read_file", "arguments": {"file_path": "notes.txt"}},
    asking=[],
    free=[],
)

ALL = {agent.name: agent for agent in (GOOSE, GEMINI)}
