//! Several processes that share what they find by an S3 server, ones like Google's and Azure's, and a NATS server, all of them real ones.
//! Processes are killed and stopped, servers go away and come back, and some ask for passwords.

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/files.rs"]
mod files;
mod machines;
mod servers;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use bellwether::corpus::{
    exchange::{MAX_RECORD, Record, Topic},
    store::Kind,
};
use expect_test::expect;
use files::files;
use machines::{
    FEW, OTHER, Place, Running, bellwether, command, end_together, folder, fuzz, ids, number, numbers, read, several,
    share, shared, stages, status, stored,
};
use serde_json::{Value, json};
use servers::{poll::poll_until, proxy::Proxy};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::{Path, PathBuf},
};

/// A status of a campaign that nobody has used is an error, and makes nothing there.
#[test]
fn who_only_looks_makes_no_stream() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (stages(), tempfile::tempdir().unwrap());
    let unused = "no fleet left anything here; check the address, or begin one with `bellwether fuzz --join`";
    let server = servers::nats(store.path());
    let campaign = format!("nats://127.0.0.1:{}/nigth", server.port());
    let copy = tempfile::tempdir().unwrap();
    let copy = copy.path().to_str().unwrap();
    for arguments in [&["fleet", "status", &campaign][..], &["corpus", "merge", &campaign, copy]] {
        let output = bellwether(project.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {campaign}: {unused}\n"));
    }
    let made: Vec<PathBuf> = files(store.path()).into_iter().filter(|file| file.ends_with("meta.inf")).collect();
    assert_eq!(made, [] as [PathBuf; 0], "no stream");
}

/// Publishes a message to a NATS server in its own protocol, and waits until it has heard it.
fn publish_to_nats(port: u16, subject: &str, content: &[u8]) {
    let mut server = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
    let begin = format!("CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n", content.len());
    server.get_mut().write_all(&[begin.as_bytes(), content, b"\r\nPING\r\n"].concat()).unwrap();
    let mut lines = server.lines().map(|line| line.unwrap());
    assert!(lines.any(|line| line == "PONG"));
}

/// What the server has for long, and has forgotten that it was sent, is not copied there again.
#[test]
fn a_corpus_is_copied_to_a_nats_server_once() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (stages(), tempfile::tempdir().unwrap());
    let [one, empty] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [one, empty] = [&one, &empty].map(|folder| folder.path().to_str().unwrap());
    fuzz(project.path(), &["--join", one, "--seed", "1", "--executions", "20000"]);
    let records: Vec<PathBuf> = files(&Path::new(one).join("1"));
    let server = servers::nats(store.path());
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let merge = |from: &str| {
        let output = bellwether(project.path(), &["corpus", "merge", from, &place]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(merge(empty).contains(": 0 records, 0 of them new in"));
    // Without the header by which the server itself would know a record again for an hour.
    for file in &records {
        let text = std::fs::read_to_string(file).unwrap();
        let parts: Vec<&str> = file.strip_prefix(one).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
        let [_, topic, kind, name] = parts.try_into().unwrap();
        let subject = format!("bellwether.night.1.{topic}.{kind}.{}", name.strip_suffix(".json").unwrap());
        publish_to_nats(server.port(), &subject, text.as_bytes());
    }
    let stored = || stored(&status(project.path(), &place));
    poll_until("all records", || stored() == records.len() as u64);
    let told = merge(one);
    assert!(told.contains(&format!(": {} records, 0 of them new in", records.len())), "{told}");
    assert_eq!(stored(), records.len() as u64);
}

/// A bucket that is not there is an error with this remedy.
#[track_caller]
fn nothing_is_there(place: &str, environment: &[(&str, &str)], remedy: &str) {
    let project = stages();
    let mut fuzz = command(project.path(), &["fuzz", ".", "--join", place]);
    let output = fuzz.envs(environment.to_vec()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(remedy), "{told}");
}

/// Machines that meet in a bucket of this kind, which is there, and in one that is not.
#[track_caller]
fn share_by_a_bucket(scheme: &str, environment: &[(&str, &str)], remedy: &str) {
    let [there, missing] = ["corpora/night", "nothere/a"].map(|path| format!("{scheme}://{path}"));
    share(&there, environment);
    minimise(Place { address: &there, environment });
    nothing_is_there(&missing, environment, remedy);
}

#[test]
fn processes_share_by_an_s3_server() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::s3("corpora");
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    share_by_a_bucket("s3", &aws(&endpoint), "check the bucket, AWS_ACCESS_KEY_ID");
}

/// What leads to a server that speaks like S3.
fn aws(endpoint: &str) -> [(&str, &str); 4] {
    [
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_REGION", "us-east-1"),
    ]
}

/// Removes what adds nothing from the corpus that machines left at a place. What is left leads as far.
#[track_caller]
fn minimise(place: Place<'_>) {
    let project = stages();
    // What another seed finds is much the same.
    let covered = |report: &Value| report["contracts"][0]["branches"]["covered"].clone();
    let alone = fuzz(project.path(), &["--seed", "2", "--executions", "20000", "--corpus", "other"]);
    let other = project.path().join("other");
    place.told(project.path(), &["corpus", "merge", other.to_str().unwrap(), place.address]);
    let sequences = || number(&place.status(project.path())["shared"]["sequences"]);
    let (before, told) = (sequences(), place.told(project.path(), &["corpus", "minimise", place.address]));
    let after = sequences();
    assert!(after < before, "{after} of {before}");
    assert_eq!(told, format!("{}: {after} of {before} sequences kept\n", place.address));
    let again = place.fuzz(project.path(), &["--seed", "7", "--executions", "200"]);
    assert_eq!((covered(&again), ids(&again)), (covered(&alone), ids(&alone)));
}

/// Machines that run at the same time: what one finds all have, nothing that was found is lost, and nobody's number stays taken.
#[track_caller]
fn run_together(machines: usize, place: Place<'_>) {
    let project = several(4);
    let budget = ["--seed", "1", "--executions", "30000"];
    let alone = fuzz(project.path(), &budget);
    assert_eq!(ids(&alone).len(), 4, "{alone:#}");
    let running: Vec<Running> = (0..machines).map(|_| place.start(project.path(), &budget)).collect();
    let reports: Vec<Value> = running.into_iter().map(Running::report).collect();
    let seeds: BTreeSet<u64> = reports.iter().map(|report| number(&report["seed"])).collect();
    assert_eq!(seeds.len(), machines, "each has a number of its own: {seeds:?}");
    let found: BTreeSet<&str> = reports.iter().flat_map(ids).collect();
    assert_eq!(found, ids(&alone), "{}", place.address);
    for report in &reports {
        assert_eq!((&report["exchange"]["dropped"], &report["exchange"]["refused"]), (&json!(0), &json!(0)));
    }
    // Each record is there that a machine was the first to share, and who comes later has all of them.
    let status = place.status(project.path());
    assert_eq!(numbers(&status), BTreeSet::new());
    assert_eq!(stored(&status), reports.iter().map(shared).sum::<u64>(), "{status:#}");
    let late = place.fuzz(project.path(), &["--seed", "100", "--executions", "3000"]);
    assert_eq!((ids(&late), &late["exchange"]["received"]), (ids(&alone), &json!(stored(&status))), "{late:#}");
}

#[test]
fn two_and_eight_machines_lose_nothing_on_a_nats_server() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats(store.path());
    for machines in [2, 8] {
        let address = format!("nats://127.0.0.1:{}/of-{machines}", server.port());
        run_together(machines, Place { address: &address, environment: &[] });
    }
}

#[test]
fn two_and_eight_machines_lose_nothing_on_an_s3_server() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::s3("corpora");
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    for machines in [2, 8] {
        let address = format!("s3://corpora/of-{machines}");
        run_together(machines, Place { address: &address, environment: &aws(&endpoint) });
    }
}

/// A bucket that cannot be reached for a while: it is told, and what was found meanwhile is shared afterwards.
#[test]
fn an_s3_server_may_go_away_and_come_back() {
    if !slow::is_asked() {
        return;
    }
    let (project, server) = (several(6), servers::s3("corpora"));
    let proxy = Proxy::before(server.port());
    let [near, far] = [server.port(), proxy.port()].map(|port| format!("http://127.0.0.1:{port}"));
    let [near, far] = [&aws(&near), &aws(&far)];
    let [near, far] = [near, far].map(|environment| Place { address: "s3://corpora/night", environment });
    let running = far.start(project.path(), &["--seed", "1", "--seconds", "0"]);
    poll_until("a machine", || numbers(&near.status(project.path())).len() == 1);
    proxy.set_away(true);
    let away = running.hears("joins again when it can");
    assert!(away.starts_with("warning: --join s3://corpora/night: "), "{away}");
    proxy.set_away(false);
    running.hears("warning: --join s3://corpora/night: joined again");
    poll_until("a finding", || number(&near.status(project.path())["shared"]["findings"]) > 0);
    running.signal("-INT");
    let report = running.report();
    let status = near.status(project.path());
    assert_eq!((stored(&status), numbers(&status)), (shared(&report), BTreeSet::new()), "{status:#}");
    assert_eq!(report["exchange"]["dropped"], 0);
}

#[test]
fn processes_share_by_a_server_like_azures() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::azure("corpora");
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    let environment = [("AZURE_STORAGE_USE_EMULATOR", "true"), ("AZURITE_BLOB_STORAGE_URL", endpoint.as_str())];
    share_by_a_bucket("az", &environment, "check the container, AZURE_STORAGE_ACCOUNT_NAME");
}

#[test]
fn processes_share_by_a_server_like_googles() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::google("corpora");
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    // A key that the server does not ask for.
    let key = r#"{"private_key": "", "private_key_id": "", "client_email": "", "disable_oauth": true}"#;
    let environment = [("GOOGLE_BASE_URL", endpoint.as_str()), ("GOOGLE_SERVICE_ACCOUNT_KEY", key)];
    share_by_a_bucket("gs", &environment, "check the bucket, and GOOGLE_SERVICE_ACCOUNT");
}

#[test]
fn processes_share_by_a_nats_server() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats(store.path());
    share(&format!("nats://127.0.0.1:{}/night", server.port()), &[]);
    // Two campaigns on one server know nothing of each other.
    share(&format!("nats://127.0.0.1:{}/day", server.port()), &[]);
    end_together(&format!("nats://127.0.0.1:{}/paid", server.port()));
    minimise(Place { address: &format!("nats://127.0.0.1:{}/night", server.port()), environment: &[] });
}

/// Whoever may publish can publish anything: it is refused, told once, and the run goes on.
#[test]
fn messages_that_lie_are_refused_and_the_run_goes_on() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats(store.path());
    let at = |campaign: &str| format!("nats://127.0.0.1:{}/{campaign}", server.port());
    let (night, day) = (at("night"), at("day"));
    let [night, day] = [&night, &day].map(|address| Place { address, environment: &[] });
    let found = night.fuzz(stages().path(), &["--seed", "1", "--executions", "20000"]);
    let project = folder(&[("Other.sol", OTHER)]);
    day.fuzz(project.path(), &["--seed", "1", "--executions", "2000"]);
    // Records of the contract, and of another one.
    let kept = |place: Place<'_>, folder: &Path| -> Vec<PathBuf> {
        place.told(folder, &["corpus", "merge", place.address, "kept"]);
        files(&folder.join("kept/1"))
    };
    let (here, copied) = (stages(), kept(night, project.path()));
    let topic = copied[0].ancestors().nth(2).unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let foreign = kept(day, here.path()).into_iter().find(|file| file.parent().unwrap().ends_with("corpus")).unwrap();

    let publish =
        |name: &str, content: &[u8]| publish_to_nats(server.port(), &format!("bellwether.night.{name}"), content);
    let publish_record = |form: &str, text: &str| {
        let record = Record::new(Topic::named(&topic).unwrap(), Kind::Entry, text.to_owned()).unwrap();
        publish(&format!("{form}.{topic}.corpus.{}", record.id), text.as_bytes());
    };
    // Refused as they arrive: the hash of something else; no text; too much.
    publish(&format!("1.{topic}.corpus.00000000000000000000000000000001"), b"{\"sequence\": []}");
    publish(&format!("1.{topic}.corpus.00000000000000000000000000000002"), &[0xff; 64]);
    publish(&format!("1.{topic}.findings.00000000000000000000000000000003"), &vec![b' '; MAX_RECORD + 1]);
    // Refused when they are to be run: no JSON; no calls; calls of another contract.
    publish_record("1", "not JSON");
    publish_record("1", "{\"sequence\": []}");
    publish_record("1", &std::fs::read_to_string(foreign).unwrap());
    // What no version wrote, what another version wrote, and what the server does not take.
    publish("1.x", b"x");
    publish(&format!("1.{topic}.other.00000000000000000000000000000004"), b"x");
    publish_record("2", "{\"sequence\": []}");
    publish_record("2", "{\"sequence\": [1]}");
    publish(&format!("1.{topic}.corpus.00000000000000000000000000000005"), &vec![b' '; 4 * MAX_RECORD]);

    let plainly = ["--seed", "7", "--executions", "20000"];
    let arguments = ["fuzz", ".", "--workers", "1", "--format", "json", "--progress", "plain", "--join", night.address];
    let output = night.command(here.path(), &[&arguments[..], &plainly].concat()).output().unwrap();
    let report = read(&output);
    assert_eq!((ids(&report), &report["exchange"]["refused"]), (ids(&found), &json!(6)), "{report:#}");
    let told = |output: &std::process::Output| {
        let told = String::from_utf8(output.stderr.clone()).unwrap();
        let told: Vec<&str> = told.lines().filter(|line| line.contains("nats://")).collect();
        told.join("\n").replace(&server.port().to_string(), "PORT").replace(&topic, "TOPIC")
    };
    expect![[r#"
        warning: --join nats://127.0.0.1:PORT/night: TOPIC/00000000000000000000000000000001 is not named by the hash of its content; it is left out, like all others with this fault
        warning: --join nats://127.0.0.1:PORT/night: has records in form 2, which another version of Bellwether wrote; they are left out; run the same version on all machines"#]].assert_eq(&told(&output));
    let output = night.command(here.path(), &["fleet", "status", night.address]).output().unwrap();
    let status = String::from_utf8(output.stdout).unwrap();
    expect![["  warning: has records in form 2, which another version of Bellwether wrote; they are left out; run the same version on all machines"]].assert_eq(status.lines().last().unwrap());
    let output = night.command(here.path(), &["corpus", "merge", night.address, "again"]).output().unwrap();
    expect![[r#"
        warning: nats://127.0.0.1:PORT/night: 3 records left out: damaged, or not written by Bellwether
        warning: nats://127.0.0.1:PORT/night: has records in form 2, which another version of Bellwether wrote; they are left out; run the same version on all machines"#]].assert_eq(&told(&output));
}

/// Files with a certificate of this machine, which signs itself, and with its key.
fn certificate_and_key(folder: &Path) -> [PathBuf; 2] {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    [("certificate.pem", made.cert.pem()), ("key.pem", made.signing_key.serialize_pem())].map(|(name, text)| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file
    })
}

#[test]
fn a_nats_server_may_ask_for_certificates_and_passwords() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let [certificate, key] = certificate_and_key(store.path());
    let server = servers::nats_configured(
        store.path(),
        &format!(
            "tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n\
             authorization {{ users: [{{ user: fuzzer, password: secret }}] }}\n"
        ),
    );
    let place = |who: &str| format!("tls://{who}127.0.0.1:{}/night", server.port());
    let trusted = [("NATS_CA", certificate.to_str().unwrap())];
    share(&place("fuzzer:secret@"), &trusted);

    let refused = |who: &str, environment: &[(&str, &str)]| {
        let project = stages();
        let arguments = ["fuzz", ".", "--quiet", "--join", &place(who)];
        let output = command(project.path(), &arguments).envs(environment.to_vec()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap().replace(&server.port().to_string(), "PORT")
    };
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: invalid peer certificate: UnknownIssuer; check the certificates; NATS_CA names a file with those to trust, NATS_CERT and NATS_KEY one's own
    "#]].assert_eq(&refused("fuzzer:secret@", &[]));
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: the server does not let this machine in; give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS
    "#]].assert_eq(&refused("fuzzer:guess@", &trusted));
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: the server does not let this machine in; give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS
    "#]].assert_eq(&refused("", &trusted));
    expect![[r#"
        error: --join: tls://127.0.0.1:PORT/night: NATS_CA /nowhere/ca.pem: No such file or directory (os error 2); name a file with certificates, or unset NATS_CA
    "#]].assert_eq(&refused("fuzzer:secret@", &[("NATS_CA", "/nowhere/ca.pem")]));
}

#[test]
fn a_nats_server_may_ask_for_a_token_or_for_a_certificate_of_each_machine() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats_configured(store.path(), "authorization { token: \"s3cret\" }");
    share(&format!("nats://s3cret@127.0.0.1:{}/night", server.port()), &[]);
    let project = stages();
    let guess = format!("nats://guess@127.0.0.1:{}/night", server.port());
    let output = bellwether(project.path(), &["fuzz", ".", "--quiet", "--join", &guess]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains("does not let this machine in"), "{told}");

    let store = tempfile::tempdir().unwrap();
    let [certificate, key] = certificate_and_key(store.path());
    let server = servers::nats_configured(
        store.path(),
        &format!(
            "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {certificate:?}, verify: true }}\n\
             authorization {{ users: [{{ user: fuzzer, password: secret }}] }}\n"
        ),
    );
    let place = format!("tls://fuzzer:secret@127.0.0.1:{}/night", server.port());
    let [certificate, key] = [&certificate, &key].map(|file| file.to_str().unwrap());
    let environment = [("NATS_CA", certificate), ("NATS_CERT", certificate), ("NATS_KEY", key)];
    share(&place, &environment);
    for (environment, words) in [
        (
            &environment[..1],
            "check the certificates; NATS_CA names a file with those to trust, NATS_CERT and NATS_KEY one's own",
        ),
        (&environment[..2], "NATS_CERT and NATS_KEY belong together; name a certificate and its key"),
    ] {
        let mut run = command(project.path(), &["fuzz", ".", "--quiet", "--join", &place]);
        let output = run.envs(environment.to_vec()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(words), "{told}");
    }
}

#[test]
fn a_nats_server_may_ask_for_credentials_of_an_operator() {
    if !slow::is_asked() {
        return;
    }
    let (store, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (server, text) = servers::operator::nats_of_operator(store.path());
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let credentials = |text: &str| {
        let file = folder.path().join("night.creds");
        std::fs::write(&file, text).unwrap();
        file.into_os_string().into_string().unwrap()
    };
    share(&place, &[("NATS_CREDS", &credentials(&text))]);

    let refused = |file: &str| {
        let project = stages();
        let mut run = command(project.path(), &["fuzz", ".", "--quiet", "--join", &place]);
        let output = run.env("NATS_CREDS", file).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap().replace(&server.port().to_string(), "PORT");
        told.replace(folder.path().to_str().unwrap(), "FOLDER")
    };
    let (other, _) = text.split_once("-----BEGIN USER NKEY SEED").unwrap();
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: NATS_CREDS FOLDER/night.creds: cannot parse nkey from the credentials file; name a credentials file, or unset NATS_CREDS
    "#]].assert_eq(&refused(&credentials(other)));
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: NATS_CREDS /nowhere/night.creds: loading creds file '/nowhere/night.creds': No such file or directory (os error 2); name a credentials file, or unset NATS_CREDS
    "#]].assert_eq(&refused("/nowhere/night.creds"));
    let (_other, forged) = servers::operator::nats_of_operator(tempfile::tempdir().unwrap().path());
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: the server does not let this machine in; give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS
    "#]].assert_eq(&refused(&credentials(&forged)));
}

/// A run whose server has no room left goes on, says so once, and keeps what it finds.
#[test]
fn a_full_disk_behind_the_server_stops_nobody() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (several(6), tempfile::tempdir().unwrap());
    let Some(server) = servers::nats_on_small_disk(store.path(), 96 << 10) else {
        let _ = writeln!(std::io::stderr(), "not run: this user may not mount a disk of its own");
        return;
    };
    let alone = fuzz(project.path(), &["--seed", "1", "--executions", "300000"]);
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let briefly = ["fuzz", ".", "--workers", "1", "--format", "json", "--progress", "plain", "--seed", "1"];
    let output = bellwether(project.path(), &[&briefly[..], &["--executions", "300000", "--join", &place]].concat());
    let report = read(&output);
    assert_eq!(ids(&report), ids(&alone));
    let told = String::from_utf8(output.stderr).unwrap();
    let told: Vec<&str> = told.lines().filter(|line| line.contains("nats://")).collect();
    expect![[r#"
        warning: --join nats://127.0.0.1:PORT/night: timed out: didn't receive ack in time; fuzzing continues alone, and joins again when it can
        warning: --join nats://127.0.0.1:PORT/night: no answer; what was found last is not shared"#]].assert_eq(&told.join("\n").replace(&server.port().to_string(), "PORT"));
}

/// The same for a folder on a disk that is full.
#[test]
fn a_folder_on_a_full_disk_stops_nobody() {
    if !slow::is_asked() {
        return;
    }
    let (project, place) = (several(6), tempfile::tempdir().unwrap());
    let Some(mut run) = servers::on_small_disk(place.path(), 96 << 10) else {
        let _ = writeln!(std::io::stderr(), "not run: this user may not mount a disk of its own");
        return;
    };
    let budget = ["--seed", "1", "--executions", "100000"];
    let alone = fuzz(project.path(), &budget);
    let join = place.path().to_str().unwrap();
    let arguments = ["fuzz", ".", "--workers", "1", "--format", "json", "--progress", "plain", "--join", join];
    let run = run.arg(env!("CARGO_BIN_EXE_bellwether")).args(arguments).args(budget).current_dir(project.path());
    let output = run.output().unwrap();
    let report = read(&output);
    assert_eq!(ids(&report), ids(&alone));
    let told = String::from_utf8(output.stderr).unwrap();
    let told: Vec<String> = told
        .lines()
        .filter(|line| line.contains(join))
        .map(|line| {
            let (what, then) = line.rsplit_once("; ").unwrap();
            assert!(what.contains("No space left on device"), "{line}");
            then.to_owned()
        })
        .collect();
    assert_eq!(told, ["fuzzing continues alone, and joins again when it can", "what was found last is not shared"]);
}

/// Who may read alone sees what was found and takes it along; whoever fuzzes writes.
#[test]
fn a_nats_server_may_give_each_role_what_it_needs() {
    if !slow::is_asked() {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let server = servers::nats_with_roles(store.path());
    let place = |who: &str| format!("nats://{who}@127.0.0.1:{}/night", server.port());
    let project = stages();
    let found = fuzz(project.path(), &["--join", &place("fuzzer:f"), "--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&found).len(), 1, "{found:#}");

    let status = read(&bellwether(project.path(), &["fleet", "status", &place("reader:r"), "--format", "json"]));
    assert!(number(&status["shared"]["findings"]) > 0, "{status:#}");
    let copy = tempfile::tempdir().unwrap();
    let folder = copy.path().to_str().unwrap();
    assert!(bellwether(project.path(), &["corpus", "merge", &place("reader:r"), folder]).status.success());
    let again = fuzz(project.path(), &["--join", folder, "--seed", "7", "--executions", FEW]);
    assert_eq!(ids(&again), ids(&found));

    let refused = bellwether(project.path(), &["fuzz", ".", "--quiet", "--join", &place("reader:r")]);
    let told = String::from_utf8(refused.stderr).unwrap().replace(&server.port().to_string(), "PORT");
    expect![[r#"
        error: --join: nats://127.0.0.1:PORT/night: failed to create key in store: timed out: nats: Permissions Violation for Publish to "$KV.bellwether-night-machines.0"; try again, or leave the option out
    "#]].assert_eq(&told);
    assert_eq!(refused.status.code(), Some(2));
}

/// The same for a bucket.
#[test]
fn a_bucket_may_give_each_role_what_it_needs() {
    if !slow::is_asked() {
        return;
    }
    let (server, keys) = servers::s3_with_roles("corpora", [servers::READS, servers::FUZZES]);
    let endpoint = format!("http://127.0.0.1:{}", server.port());
    let [reader, fuzzer] = keys.each_ref().map(|[id, secret]| {
        let [(endpoint, at), .., (region, of)] = aws(&endpoint);
        [(endpoint, at), ("AWS_ACCESS_KEY_ID", id.as_str()), ("AWS_SECRET_ACCESS_KEY", secret.as_str()), (region, of)]
    });
    let [reader, fuzzer] =
        [&reader, &fuzzer].map(|environment| Place { address: "s3://corpora/night", environment: &environment[..] });
    let project = stages();
    let found = fuzzer.fuzz(project.path(), &["--seed", "1", "--executions", "20000"]);
    assert_eq!(ids(&found).len(), 1, "{found:#}");
    assert_eq!(reader.status(project.path())["findings"][0]["file"], "Stages.sol");
    reader.told(project.path(), &["corpus", "merge", reader.address, "copy"]);
    let again = fuzz(project.path(), &["--join", "copy", "--seed", "7", "--executions", FEW]);
    assert_eq!(ids(&again), ids(&found));
    let refused = reader.command(project.path(), &["fuzz", ".", "--quiet", "--join", reader.address]).output().unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && told.contains("lacked the necessary privileges"), "{told}");
}

/// Three workers on one campaign: one is killed, one is stopped and continued, and the server is killed and started again. Nothing that
/// was found is lost, nobody's number stays taken, and the findings are those of one machine.
#[test]
fn nothing_is_lost_with_a_machine_or_with_the_server() {
    if !slow::is_asked() {
        return;
    }
    let (project, store) = (several(6), tempfile::tempdir().unwrap());
    let mut server = servers::nats(store.path());
    let place = format!("nats://127.0.0.1:{}/night", server.port());
    let alone = fuzz(project.path(), &["--seed", "1", "--executions", "300000"]);
    assert_eq!(ids(&alone).len(), 6, "{alone:#}");

    let start = |seconds: &str| {
        let arguments = ["fuzz", ".", "--workers", "1", "--format", "json", "--seed", "1", "--progress", "plain"];
        Running::start(project.path(), &[&arguments[..], &["--join", &place, "--seconds", seconds]].concat())
    };
    let status = || status(project.path(), &place);
    // The names of all records at the place.
    let records = |folder: &str| -> BTreeSet<PathBuf> {
        let merged = bellwether(project.path(), &["corpus", "merge", &place, folder]);
        assert!(merged.status.success(), "{merged:?}");
        let kept = project.path().join(folder).join("1");
        files(&kept).into_iter().map(|file| file.strip_prefix(&kept).unwrap().to_owned()).collect()
    };
    let [mut killed, stopped, lasting] = [start("600"), start("60"), start("60")];
    poll_until("three machines", || numbers(&status()).len() == 3);
    poll_until("a finding", || number(&status()["shared"]["findings"]) > 0);
    killed.kill();
    stopped.signal("-STOP");
    let before = records("before");
    server.kill();
    lasting.hears("fuzzing continues alone, and joins again when it can");
    server.restart();
    lasting.hears("joined again");
    stopped.signal("-CONT");
    // The number of the one that was killed comes back.
    poll_until("its number to be free", || numbers(&status()).len() == 2);
    let late = start("5");
    poll_until("a third machine", || numbers(&status()).len() == 3);
    let late = late.report();
    let [stopped, lasting] = [stopped.report(), lasting.report()];
    for report in [&late, &stopped, &lasting] {
        assert_eq!(ids(report), ids(&alone), "{report:#}");
        assert_eq!((&report["exchange"]["refused"], &report["exchange"]["dropped"]), (&json!(0), &json!(0)));
    }
    // All that was shared is there: what was before, also by the one that was killed, and what the others were the first to share.
    let after = records("after");
    assert!(after.is_superset(&before), "{:?}", before.difference(&after));
    let first = [&late, &stopped, &lasting].into_iter().map(shared).sum::<u64>();
    assert!(after.len() as u64 >= first && after.len() as u64 == stored(&status()), "{first} of {}", after.len());
    // Who comes now has all of it, and leads as far as those that were there.
    let last = fuzz(project.path(), &["--join", &place, "--seed", "100", "--executions", "3000"]);
    let covered = |report: &Value| -> Vec<Value> {
        let contracts = report["contracts"].as_array().unwrap().iter();
        contracts.map(|contract| contract["branches"]["covered"].clone()).collect()
    };
    assert_eq!(last["exchange"]["received"], after.len(), "{last:#}");
    assert_eq!((ids(&last), covered(&last)), (ids(&alone), covered(&lasting)));
    let (replayed, all) = [&late, &stopped, &lasting].iter().fold((0, 0), |(replayed, all), report| {
        (replayed + number(&report["exchange"]["replayed"]), all + number(&report["executions"]))
    });
    let _ = writeln!(std::io::stdout(), "{replayed} of {all} transactions ran again what another machine had found");
    assert!(replayed * 20 < all, "{replayed} of {all}");
    poll_until("no machine that lives", || numbers(&status()).is_empty());
}
