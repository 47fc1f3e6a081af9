//! Words that programmers write short.

use std::{collections::HashMap, sync::LazyLock};

use ctxhost_code::words::stem;

/// Each line is one meaning. Only what is short for one thing almost everywhere is here: what else a word may mean is
/// for the question to say.
const ALIKE: &str = "
    address addr
    allocate alloc
    application app
    argument arg
    asynchronous async
    attribute attr
    authentication auth
    authorization auth
    benchmark bench
    buffer buf
    callback cb
    character char
    command cmd
    compiler compile
    configuration config conf cfg
    connection conn
    context ctx
    database db
    declaration decl
    definition def
    dependency dep
    destination dest dst
    dictionary dict
    directory dir folder
    document doc
    documentation doc
    element elem
    environment env
    error err
    event evt
    execute exec
    expression expr
    extension ext
    function fn func
    identifier ident
    image img
    implementation impl
    initialize initialise init
    internationalization i18n
    iterator iter
    javascript js
    language lang
    library lib
    maximum max
    message msg
    minimum min
    normalise normalize
    object obj
    operation op
    operator op
    package pkg
    parameter param
    performance perf
    pointer ptr
    position pos
    previous prev
    process proc
    property prop
    reference ref
    regex regexp
    repository repo
    request req
    response resp
    serialise serialize
    specification spec
    statement stmt
    string str
    synchronization sync
    synchronize sync
    temporary tmp temp
    typescript ts
    utility util
    value val
    variable var
    version ver
    website site
    window win
";

static SHORT: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut alike: HashMap<String, Vec<String>> = HashMap::new();
    for line in ALIKE.lines() {
        let stems: Vec<String> = line.split_whitespace().map(|word| stem(word).into_owned()).collect();
        for one in &stems {
            let others = stems.iter().filter(|other| *other != one);
            alike.entry(one.clone()).or_default().extend(others.cloned());
        }
    }
    alike
});

/// What else a word is written as.
pub(super) fn others(word: &str) -> &'static [String] {
    SHORT.get(word).map_or(&[], Vec::as_slice)
}
