//! A language's query, ready to run: what each capture stands for.

use tree_sitter::{Language, Query};

use crate::symbols::{Kind, Visibility};

/// A query with the meaning of its captures.
pub(crate) struct Compiled {
    pub(crate) query: Query,
    /// By capture.
    pub(crate) roles: Vec<Role>,
    /// The field that bodies stand in, if the grammar has it.
    pub(crate) body: Option<u16>,
}

/// What a capture stands for; `grammars/README.md` says it in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A definition.
    Definition(Kind),
    /// A field that a method sets on its instance.
    InstanceField,
    /// A node that gives its name to what it holds, and is no definition itself.
    Scope,
    /// A function without a name: what is bound inside is local.
    Closed,
    Name,
    Owner,
    Body,
    /// The documentation of the definition around it.
    Doc,
    /// A comment, perhaps the documentation of what follows.
    Comment,
    /// What stands before a definition and belongs to it.
    Attribute,
    Reference,
    /// A name that is bound in a function.
    Local,
    /// The same, whatever its first letter.
    LocalType,
    /// A name that is neither used nor defined, such as that of an argument.
    Ignore,
    Import,
    /// The visibility of the definition around it.
    Mark(Visibility),
    /// The visibility of what follows in the same definition.
    Section(Visibility),
    /// What is defined in it is public.
    Export,
    /// What has this name is public.
    ExportName,
    /// The same, and what has another name is not.
    ExportOnly,
    /// Only the query uses it.
    Nothing,
}

impl Compiled {
    /// Compiles a query; the error says where it does not fit.
    pub(super) fn new(language: &Language, text: &str) -> Result<Compiled, String> {
        let query = Query::new(language, text).map_err(|error| {
            format!("line {}: {}", error.row + 1, error.message.lines().next().unwrap_or(""))
        })?;
        let role = |name: &&str| role(name).ok_or_else(|| format!("unknown capture `@{name}`"));
        let roles = query.capture_names().iter().map(role).collect::<Result<_, _>>()?;
        Ok(Compiled { roles, body: language.field_id_for_name("body").map(|id| id.get()), query })
    }
}

fn role(name: &str) -> Option<Role> {
    if name.starts_with('_') {
        return Some(Role::Nothing);
    }
    if let Some(kind) = name.strip_prefix("definition.") {
        return kind_of(kind);
    }
    Some(match name {
        "scope" => Role::Scope,
        "closed" => Role::Closed,
        "name" => Role::Name,
        "owner" => Role::Owner,
        "body" => Role::Body,
        "doc" => Role::Doc,
        "comment" => Role::Comment,
        "attribute" => Role::Attribute,
        "reference" => Role::Reference,
        "local" => Role::Local,
        "local.type" => Role::LocalType,
        "ignore" => Role::Ignore,
        "import" => Role::Import,
        "public" => Role::Mark(Visibility::Public),
        "restricted" => Role::Mark(Visibility::Restricted),
        "private" => Role::Mark(Visibility::Private),
        "section.public" => Role::Section(Visibility::Public),
        "section.restricted" => Role::Section(Visibility::Restricted),
        "section.private" => Role::Section(Visibility::Private),
        "export" => Role::Export,
        "export.name" => Role::ExportName,
        "export.only" => Role::ExportOnly,
        _ => return None,
    })
}

fn kind_of(name: &str) -> Option<Role> {
    Some(Role::Definition(match name {
        "function" => Kind::Function,
        "method" => Kind::Method,
        "constructor" => Kind::Constructor,
        "class" => Kind::Class,
        "struct" => Kind::Struct,
        "union" => Kind::Union,
        "enum" => Kind::Enum,
        "variant" => Kind::Variant,
        "interface" => Kind::Interface,
        "trait" => Kind::Trait,
        "type" => Kind::TypeAlias,
        "constant" => Kind::Constant,
        "variable" => Kind::Variable,
        "field" => Kind::Field,
        "field.instance" => return Some(Role::InstanceField),
        "macro" => Kind::Macro,
        "module" => Kind::Module,
        "other" => Kind::Other,
        _ => return None,
    }))
}
