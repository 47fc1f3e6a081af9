//! A whole client of `serve/v1`: `client PROGRAM FOLDER TEXT` prints what ctxhost adds to a prompt.
use std::io::{BufRead as _, BufReader, Write as _};
use std::{collections::BTreeMap, env, error::Error, path, process, sync::mpsc, thread, time::Duration};

use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let [program, folder, text] = &arguments[..] else { return Err("arguments: PROGRAM FOLDER TEXT".into()) };
    let mut command = process::Command::new(program); // Its stderr is for people: it stays ours.
    command.args(["serve", "--stdio"]).stdin(process::Stdio::piped()).stdout(process::Stdio::piped());
    let mut host = command.spawn()?;
    let (mut stdin, stdout) = host.stdin.take().zip(host.stdout.take()).ok_or("the host has no pipes")?;
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || BufReader::new(stdout).lines().try_for_each(|line| sender.send(line)));
    let mut send = |id: u64, method: &str, params: Value| {
        writeln!(stdin, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let mut results = BTreeMap::new(); // They come in any order, with notifications between them.
    let mut result = |id: u64| -> Result<Value, Box<dyn Error>> {
        while !results.contains_key(&Some(id)) {
            // A host that hangs costs half a minute: more than a prompt's longest deadline.
            let Ok(line) = lines.recv_timeout(Duration::from_secs(30)) else {
                host.kill()?;
                return Err("the host does not answer".into());
            };
            let message: Value = serde_json::from_str(&line?)?;
            message["error"]["message"].as_str().map_or(Ok(()), Err)?;
            results.insert(message["id"].as_u64(), message["result"].clone());
        }
        Ok(results.remove(&Some(id)).unwrap_or_default())
    };
    let session = json!({"id": null, "cwd": path::absolute(folder)?.to_string_lossy()}); // A single question.
    send(1, "hello", json!({"v": 1, "agent": {"name": "example", "can": ["inject.prompt", "tools"]}}))?;
    result(1)?;
    send(2, "event", json!({"event": "prompt", "session": session, "data": {"text": text}}))?;
    send(3, "tools", json!({"session": session}))?; // Sent while the prompt is in flight.
    std::io::stdout().write_all(result(2)?["injection"]["text"].as_str().unwrap_or_default().as_bytes())?;
    eprintln!("{} tools are offered", result(3)?["tools"].as_array().map_or(0, Vec::len));
    drop(stdin); // That ends the host.
    if host.wait()?.success() { Ok(()) } else { Err("the host failed at its end".into()) }
}
