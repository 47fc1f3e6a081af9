//! What was typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Gives coding agents their context.
#[derive(Debug, Parser)]
#[command(name = "ctxhost", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the injection for a prompt
    Inject(InjectArgs),
    /// Show what became of each provider and section of a prompt, and why
    Explain(ExplainArgs),
    /// List the providers that are found; runs no provider's code
    List(ListArgs),
    /// Call a tool
    Tool(ToolArgs),
    /// Run a provider's command
    Run(RunArgs),
    /// Test a provider against the conformance suite
    Check(CheckArgs),
    /// Read the published specs, or hold files against them
    Specs(SpecsArgs),
    /// Write ctxhost into an agent's settings
    Install(InstallArgs),
    /// Take ctxhost out of an agent's settings again
    Uninstall(UninstallArgs),
    /// Say whether context arrives, and what keeps it from arriving
    Doctor(DoctorArgs),
    /// Answer an agent's own code over standard input and output, in JSON-RPC
    Serve(ServeArgs),
    /// Be an MCP server on standard input and output
    Mcp(McpArgs),
    /// Answer one event of an agent's hooks: JSON on standard input, JSON on standard output
    Hook(HookArgs),
}

/// Where and when a command takes place.
#[derive(Clone, Debug, Args)]
pub struct Scene {
    /// The agent's working directory [default: this one]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// The conversation, by any name; without it each call is a new one
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// A fixed clock in unix seconds, for reproducible runs
    #[arg(long, value_name = "SECONDS")]
    pub now: Option<f64>,
    /// Show what providers log
    #[arg(long, short)]
    pub verbose: bool,
}

/// A prompt and how much may be said about it.
#[derive(Debug, Args)]
pub struct PromptArgs {
    /// The user's prompt; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    pub prompt: String,
    /// Ask only this provider; may be given more than once
    #[arg(long, value_name = "ID")]
    pub provider: Vec<String>,
    /// The largest injection, in estimated tokens
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// The size of the model's context window, in tokens
    #[arg(long, value_name = "N")]
    pub context_window: Option<u64>,
    #[command(flatten)]
    /// Where and when.
    pub scene: Scene,
    /// Exit with 4 when a provider fails
    #[arg(long)]
    pub strict: bool,
}

/// `ctxhost inject`.
#[derive(Debug, Args)]
pub struct InjectArgs {
    #[command(flatten)]
    /// The prompt.
    pub prompt: PromptArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// How an injection is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text that the agent gets.
    Text,
    /// A document with sections, what was dropped, status and findings.
    Json,
}

/// `ctxhost explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    /// The prompt.
    pub prompt: PromptArgs,
    /// Print a document
    #[arg(long)]
    pub json: bool,
}

/// `ctxhost list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The working directory whose project settings hold [default: this one]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Print a document
    #[arg(long)]
    pub json: bool,
}

/// `ctxhost tool`.
#[derive(Debug, Args)]
pub struct ToolArgs {
    /// The tool's name
    pub name: String,
    /// Its arguments, a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub args: String,
    /// Whose tool, where several have one of this name
    #[arg(long, value_name = "ID")]
    pub provider: Option<String>,
    #[command(flatten)]
    /// Where and when.
    pub scene: Scene,
    /// Print the whole answer as a document
    #[arg(long)]
    pub json: bool,
}

/// `ctxhost run`.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// The provider's id
    pub provider: String,
    /// The command and what follows it; without it the provider's commands are listed. The options below may stand
    /// last too; after `--` everything is the command's
    #[arg(value_name = "COMMAND [ARGS]", trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<String>,
    #[command(flatten)]
    /// Where and when.
    pub scene: Scene,
    /// Print the whole answer as a document
    #[arg(long)]
    pub json: bool,
}

impl RunArgs {
    /// Takes ctxhost's own options out of what follows the command, as far as the first `--`: they may stand last, and
    /// everything else is the provider's.
    ///
    /// # Errors
    /// An option of ours has no value, or one that it cannot have.
    pub fn take_own(mut self) -> Result<Self, String> {
        let mut rest = std::mem::take(&mut self.command).into_iter();
        while let Some(arg) = rest.next() {
            let (name, inline) = match arg.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (arg.clone(), None),
            };
            let mut value =
                || inline.clone().or_else(|| rest.next()).ok_or(format!("{name}: a value is missing"));
            match name.as_str() {
                "--" => {
                    self.command.extend(rest);
                    break;
                }
                "--cwd" => self.scene.cwd = Some(value()?.into()),
                "--session" => self.scene.session = Some(value()?),
                "--now" => {
                    let seconds = value()?;
                    self.scene.now =
                        Some(seconds.parse().map_err(|_| format!("--now: `{seconds}` is not a number"))?);
                }
                "--json" if inline.is_none() => self.json = true,
                "--verbose" if inline.is_none() => self.scene.verbose = true,
                _ => self.command.push(arg),
            }
        }
        Ok(self)
    }
}

/// `ctxhost check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A library file, or the id of a provider that is found
    pub subject: String,
    /// Run only the tests whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Seconds that one test may take
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub limit: u64,
    /// Print a document
    #[arg(long)]
    pub json: bool,
    /// Run this one test in this process
    #[arg(long, hide = true)]
    pub child: Option<String>,
}

/// `ctxhost specs`.
#[derive(Debug, Args)]
pub struct SpecsArgs {
    /// What to do with them.
    #[command(subcommand)]
    pub command: SpecsCommand,
}

/// What to do with the published specs.
#[derive(Debug, Subcommand)]
pub enum SpecsCommand {
    /// List them
    List {
        /// Print a document
        #[arg(long)]
        json: bool,
    },
    /// Print one: its text, or one of its schemas
    Show {
        /// `NAME/VERSION`, or `NAME/VERSION/SCHEMA`
        spec: String,
    },
    /// Hold files against one
    Validate {
        /// `NAME/VERSION` for its reply, or `NAME/VERSION/SCHEMA`
        spec: String,
        /// The files; `-` reads standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print a document
        #[arg(long)]
        json: bool,
    },
}

/// `ctxhost doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    /// Where and when.
    pub scene: Scene,
    /// Print a document
    #[arg(long)]
    pub json: bool,
}

/// An agent whose settings can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AgentName {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Pi.
    Pi,
}

impl AgentName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ClaudeCode, Self::Codex, Self::Pi];

    /// Its name on the command line and in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Pi => "pi",
        }
    }
}

/// How an agent asks about a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookForm {
    /// One process a prompt.
    Command,
    /// The MCP server that runs already.
    McpTool,
}

/// Which settings of an agent are meant.
#[derive(Debug, Args)]
pub struct InstallPlace {
    /// The agent
    pub agent: AgentName,
    /// The settings of the working directory's project, not the user's
    #[arg(long)]
    pub project: bool,
    /// The project's folder, with --project [default: this one]
    #[arg(long, value_name = "DIR", requires = "project")]
    pub cwd: Option<PathBuf>,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print a document
    #[arg(long)]
    pub json: bool,
}

/// `ctxhost install`.
#[derive(Debug, Args)]
pub struct InstallArgs {
    #[command(flatten)]
    /// Where.
    pub place: InstallPlace,
    /// How a prompt is answered [default: mcp-tool, for a project command]
    #[arg(long, value_enum, value_name = "FORM")]
    pub hook: Option<HookForm>,
}

/// `ctxhost uninstall`.
#[derive(Debug, Args)]
pub struct UninstallArgs {
    #[command(flatten)]
    /// Where.
    pub place: InstallPlace,
}

/// `ctxhost serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Speak over standard input and output, one message a line; there is no other way yet
    #[arg(long, required = true)]
    pub stdio: bool,
    #[command(flatten)]
    /// Where and when; the session that a client names has its own working directory.
    pub scene: Scene,
}

/// `ctxhost mcp`.
#[derive(Debug, Args)]
pub struct McpArgs {
    #[command(flatten)]
    /// Where and when.
    pub scene: Scene,
}

/// `ctxhost hook`.
#[derive(Debug, Args)]
pub struct HookArgs {
    /// Whose hook it is: `claude-code` or `codex`
    #[arg(value_name = "AGENT", allow_hyphen_values = true)]
    pub agent: Option<String>,
    /// Anything else is not looked at: a hook that ends with an error would stop the agent's user
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub rest: Vec<String>,
}
