//! Calls, and whether they change what is mapped.

use ctxhost_sdk::{prelude::json, protocol::envelope::Own};

use super::*;

/// A project with `src/a.rs`, `src/b.rs` and `README.md`; `target` is ignored.
struct Project;

impl Ground for Project {
    fn is_mapped(&self, path: &str) -> bool {
        ["", "src", "src/a.rs", "src/b.rs", "src/new.rs", "README.md", ".pi-map.md", "src/.pi-map.index.md"]
            .contains(&path)
    }

    fn is_there(&self, path: &str) -> bool {
        ["", "src", "src/a.rs", "src/b.rs", "README.md"].contains(&path)
    }

    fn is_guard(&self, path: &str) -> bool {
        path == "maps" || path == "maps/.pi-map.md"
    }
}

fn is(call: &ToolBeforeData) -> bool {
    is_sensitive(call, "/p", "/p", &Project)
}

fn call(kind: ToolKind, paths: &[&str], input: Value) -> ToolBeforeData {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    ToolBeforeData {
        id: "1".to_owned(),
        name: "t".to_owned(),
        kind,
        paths,
        input,
        ..ToolBeforeData::default()
    }
}

#[test]
fn edits_of_mapped_files_are_sensitive() {
    for (kind, paths, expected) in [
        (ToolKind::Edit, &["/p/src/a.rs"][..], true),
        (ToolKind::Edit, &["src/a.rs"], true),
        (ToolKind::Write, &["src/../README.md"], true),
        (ToolKind::Write, &["src/new.rs"], true),
        (ToolKind::Edit, &["/p/target/x"], false),
        (ToolKind::Edit, &["/elsewhere/src/a.rs"], false),
        (ToolKind::Edit, &["/prefix/src/a.rs"], false),
        (ToolKind::Edit, &["../src/a.rs"], false),
        (ToolKind::Edit, &["/elsewhere/x", "/p/src/b.rs"], true),
        (ToolKind::Edit, &["/p/.pi-map.md"], false),
        (ToolKind::Write, &["src/.pi-map.index.md"], false),
        (ToolKind::Edit, &[], true),
        (ToolKind::Read, &["src/a.rs"], false),
        (ToolKind::Search, &[], false),
        (ToolKind::Other, &["src/a.rs"], false),
    ] {
        assert_eq!(is(&call(kind, paths, json!({}))), expected, "{kind:?} {paths:?}");
    }
    let own = Some(Own { provider: "project-map".to_owned(), tool: "project_map_init".to_owned() });
    assert!(!is(&ToolBeforeData { own, ..call(ToolKind::Write, &["src/a.rs"], json!({})) }));
}

#[test]
fn a_patch_names_its_files() {
    let patch = |path: &str| json!({"input": format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch\n")});
    assert!(is(&call(ToolKind::Edit, &[], patch("src/a.rs"))));
    assert!(!is(&call(ToolKind::Edit, &[], patch("/elsewhere/a.rs"))));
    let quoting = json!({"content": "Try:\n*** Begin Patch\n*** Update File: src/a.rs\n*** End Patch\n"});
    assert!(!is(&call(ToolKind::Write, &["/tmp/x.md"], quoting)));
    assert!(!is(&call(ToolKind::Write, &["/tmp/x.patch"], patch("src/a.rs"))));
    let moved = "*** Begin Patch\n*** Update File: /tmp/x\n*** Move to: src/a.rs\n*** End Patch";
    assert!(is(&call(ToolKind::Edit, &[], json!({"patch": [moved]}))));
}

#[test]
fn commands_that_write_mapped_files_are_sensitive() {
    for (command, expected) in [
        ("rm src/a.rs", true),
        ("rm -rf src", true),
        ("rm -rf src/*.rs", true),
        ("rm -rf target", false),
        ("rm /tmp/x", false),
        ("sudo rm -f ./src/a.rs", true),
        ("FOO=1 mv src/a.rs /tmp/", true),
        ("mv /tmp/x src/new.rs", true),
        ("git mv src/a.rs src/c.rs", true),
        ("git rm -q src/a.rs", true),
        ("git rm --cached src/a.rs", false),
        ("git checkout main", false),
        ("git checkout -- src/a.rs", true),
        ("git restore src/a.rs", true),
        ("git restore --staged src/a.rs", false),
        ("git reset --hard", true),
        ("git reset src/a.rs", false),
        ("git clean -fd", true),
        ("git -C /p apply /tmp/x.patch", true),
        ("git status && git diff src/a.rs", false),
        ("sed -i 's/a/b/' src/a.rs", true),
        ("sed -i.bak s/a/b/ src/a.rs", true),
        ("sed -Ei 's/i/b/' src/a.rs", true),
        ("sed 's/i/b/' src/a.rs", false),
        ("sed -n 10,20p src/a.rs", false),
        ("perl -pi -e 's/a/b/' src/a.rs", true),
        ("echo hi | tee -a src/a.rs", true),
        ("echo hi > src/a.rs", true),
        ("echo hi >> src/a.rs", true),
        ("echo hi >src/a.rs 2>&1", true),
        ("cargo test 2>&1 | tail > /tmp/out", false),
        ("cargo test > /dev/null 2> target/x", false),
        ("grep -rn 'a > src/a.rs' src", false),
        ("echo \"rm src/a.rs\"", false),
        ("echo a \\> src/a.rs", false),
        ("cat <<'EOF' > /tmp/x\nrm src/a.rs\nEOF\n", false),
        ("cat > src/a.rs <<EOF\nfn a() {}\nEOF", true),
        ("cd src && rm a.rs", true),
        ("cd /tmp && rm src/a.rs", false),
        ("(cd src; sed -i s/a/b/ a.rs)", true),
        ("cp src/a.rs /tmp/", false),
        ("cp /tmp/a src/a.rs", true),
        ("bash -c 'rm src/a.rs'", true),
        ("bash -lc \"cd src && bash -c 'rm a.rs'\"", true),
        ("find src -name '*.rs' -delete", true),
        ("find . -name '*.rs' -exec sed -i s/a/b/ {} +", true),
        ("find src -name '*.rs'", false),
        ("rg -l foo | xargs sed -i s/a/b/", true),
        ("rg -l foo | xargs grep bar", false),
        ("if true; then rm src/a.rs; fi", true),
        ("dd if=/dev/zero of=src/a.rs", true),
        ("rm $FILE", false),
        ("echo x > $OUT", false),
        ("touch .pi-map.md", false),
        ("rm maps/.pi-map.md", true),
        ("rm -rf maps", true),
        ("cat maps/.pi-map.md", false),
        ("chmod 000 maps/.pi-map.md", true),
        ("chmod -r maps/.pi-map.md", true),
        ("sudo chown -R nobody maps", true),
        ("chmod +x src/a.rs", false),
        ("chmod -R 755 src", false),
        ("ls -la src # rm src/a.rs", false),
        ("cargo build", false),
        ("ruby -Isrc test/a_test.rb", false),
        ("ruby src/a.rs -i README.md", false),
        ("perl -Isrc src/a.rs", false),
        ("perl -MList::Util=sum -e 'print 1' src/a.rs", false),
        ("perl -i.bak -pe s/a/b/ src/a.rs", true),
        ("ruby -i -pe 'x' src/a.rs", true),
        ("sed -i README.md /tmp/x", false),
        ("sed -e s/i/x/ src/a.rs", false),
        ("if (( x > 3 )); then echo; fi", false),
        ("for ((i = 0; i > README.md; i++)); do rm src/a.rs; done", true),
        ("[[ $a > README.md ]]", false),
        ("[[ $a > $b ]] && rm src/a.rs", true),
        ("[ a -gt b ] > README.md", true),
        ("cd /tmp && git reset --hard", false),
        ("git -C /tmp/elsewhere clean -fd", false),
        ("git -C /p/src clean -fd", true),
        ("find /tmp -name x | xargs rm", false),
        ("find /tmp -name x | grep -v y | xargs -n 1 rm -f", false),
        ("find src | xargs rm", true),
        ("echo src/a.rs | xargs rm", true),
        ("cat list | xargs -I{} rm {}", true),
        ("ls | xargs grep rm", false),
        ("find src -exec cp {} /tmp ;", false),
        ("tee /tmp/o < src/a.rs", false),
        ("cat src/a.rs - <<< README.md > /tmp/x", false),
        ("git checkout src/a.rs", true),
        ("git checkout .", true),
        ("git checkout HEAD~1 src/a.rs", true),
        ("git checkout new.rs", false),
        ("git checkout -b src", false),
        ("git stash", true),
        ("git stash pop", true),
        ("git stash list", false),
        ("patch -p1 < /tmp/f", true),
        ("patch --dry-run -p1 < /tmp/f", false),
        ("patch /tmp/x < /tmp/f", false),
        ("cd /tmp && patch -p1 < f", false),
        ("cp -t src /tmp/x", true),
        ("cp --target-directory=/tmp src/a.rs", false),
        ("rsync -rt src /tmp/x", false),
        ("echo x >& src/a.rs", true),
        ("echo x >&2", false),
        ("timeout 5 rm src/a.rs", true),
        ("timeout -k 1 5 cat src/a.rs", false),
        ("sudo -n rm src/a.rs", true),
        ("nice -n 5 rm src/a.rs", true),
        ("eval \"rm src/a.rs\"", true),
        ("echo \"$(rm src/a.rs)\"", true),
        ("echo $(rm src/a.rs)", true),
        ("echo `rm src/a.rs`", true),
        ("echo '$(rm src/a.rs)'", false),
        ("echo $(date) rm src/a.rs", false),
        ("echo $((1<<n))\nrm src/a.rs", true),
        ("echo \"a << EOF\"\nrm src/a.rs", true),
        ("bash <<EOF\nrm src/a.rs\nEOF", true),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.rs\n*** End Patch\nEOF", true),
        ("cat > /tmp/x <<EOF\n$(rm src/a.rs)\nEOF", true),
        ("cat > /tmp/x <<-EOF\n\tsays \"`rm src/a.rs`\"\n\tEOF", true),
        ("cat > /tmp/x <<'EOF'\n$(rm src/a.rs)\nEOF", false),
        ("cat > /tmp/x <<\\EOF\n$(rm src/a.rs)\nEOF", false),
        ("cat > /tmp/x <<EOF\n\\$(rm src/a.rs) $(date) $((1 > 0))\nEOF", false),
        ("cat <<A <<'B'\n$(rm src/a.rs)\nA\nx\nB", true),
        ("rm -rf ..", true),
        ("rm -fR ../*", true),
        ("rm --recursive ../../p", true),
        ("rm -rf /", true),
        ("rm ../x", false),
        ("rm ../*.log", false),
        ("rm -rf ../other", false),
        ("cd .. && rm -rf p", true),
        ("cd .. && rm -rf *", true),
        ("cd / && git clean -fdx", true),
        ("mv .. /tmp/x", true),
        ("mv /p /tmp/x", true),
        ("mv /tmp/x ..", false),
        ("git checkout -- ..", true),
        ("git restore ..", true),
        ("find .. -name '*.rs' -delete", true),
        ("find .. -name '*.rs'", false),
        ("echo .. | xargs rm -rf", true),
        ("cp -r /tmp/x ..", false),
        ("truncate -s 0 /tmp/x", false),
        ("ls | xargs rm", true),
        ("ls -a | xargs -n 1 rm -f", true),
        ("cd /tmp && ls | xargs rm", false),
        ("doas rm src/a.rs", true),
        ("doas -u me rm src/a.rs", true),
        ("stdbuf -oL rm src/a.rs", true),
        ("stdbuf -o L -e 0 rm src/a.rs", true),
        ("busybox rm src/a.rs", true),
        ("busybox sh -c 'rm src/a.rs'", true),
        ("setsid nice -n 5 rm src/a.rs", true),
        ("flock /tmp/lock rm src/a.rs", true),
        ("stdbuf -oL cat src/a.rs", false),
        ("bash <<< 'rm src/a.rs'", true),
        ("bash <<<\"cd src; rm a.rs\"", true),
        ("bash <<< 'cat src/a.rs'", false),
        ("cat <<< 'rm src/a.rs'", false),
        ("find src -name '*.rs' -exec sh -c 'rm \"$1\"' _ {} \\;", true),
        ("find src -name '*.rs' -exec sh -c 'sed s/a/b/ {} > {}' \\;", true),
        ("find /tmp -exec sh -c 'rm src/a.rs' \\;", true),
        ("find src -exec sh -c 'grep x \"$1\" > /tmp/o' _ {} \\;", false),
        ("find src -name '*.rs' -exec cp /tmp/x {} \\;", true),
        ("find src -okdir rm {} \\;", true),
        ("rg -l foo | xargs sh -c 'rm \"$@\"'", true),
        ("git checkout -f main", true),
        ("git checkout -qf main", true),
        ("git checkout --force main", true),
        ("git switch -f main", true),
        ("git switch --discard-changes main", true),
        ("git switch main", false),
        ("git switch -c fix", false),
        ("cd /tmp && git checkout -f main", false),
        ("sort -o src/a.rs /tmp/x", true),
        ("sort -uo src/a.rs /tmp/x", true),
        ("sort --output=src/a.rs /tmp/x", true),
        ("sort -k 2 src/a.rs", false),
        ("sort -to src/a.rs", false),
        ("curl -o src/new.rs https://x.test/", true),
        ("curl -sSLo src/new.rs https://x.test/", true),
        ("curl --output src/new.rs https://x.test/", true),
        ("curl -H 'a: -o' https://x.test/ -o /tmp/x", false),
        ("curl -d @src/a.rs -o - https://x.test/", false),
        ("wget -O src/new.rs https://x.test/", true),
        ("wget -qO- https://x.test/", false),
        ("wget -o src/a.rs.log -O /tmp/x https://x.test/", false),
        ("awk -i inplace '{print}' src/a.rs", true),
        ("gawk -iinplace -f /tmp/x.awk src/a.rs", true),
        ("awk '{print}' src/a.rs", false),
        ("awk -i inplace -v x=1 '{print}' /tmp/x", false),
        ("find src -exec gawk -i inplace '{print}' {} +", true),
        ("ed -s src/a.rs <<< w", true),
        ("ex -sc '%s/a/b/|x' src/a.rs", true),
        ("ex -s -c x /tmp/x", false),
        ("vim -es +x src/a.rs", true),
        ("ex -sc 'w src/a.rs' /tmp/x", false),
        ("sort src/a.rs | sponge src/a.rs", true),
        ("$(", false),
        ("((", false),
        ("a <<", false),
        ("", false),
        ("'", false),
        ("\"\\", false),
        (">", false),
    ] {
        assert_eq!(is(&call(ToolKind::Run, &[], json!({"command": command}))), expected, "{command}");
    }
    assert!(is(&call(ToolKind::Run, &[], json!({"command": ["bash", "-lc", "rm src/a.rs"]}))));
    assert!(is(&call(ToolKind::Run, &[], json!({"cmd": ["rm", "src/a.rs"]}))));
    assert!(!is(&call(ToolKind::Run, &[], json!({"cmd": ["echo", "> src/a.rs"]}))));
    assert!(!is(&call(ToolKind::Run, &[], json!({"cmd": [1, {}]}))));
}
