//! Servers that machines meet at, started on a free port of this machine. They are fetched once, into the cache of the tests:
//!
//! ```text
//! <cache>/
//!   nats-server/usr/sbin/nats-server     the one on PATH, or else Debian's package, unpacked
//!   pypi/moto-server--5.2.5/bin/         an S3 server, for Google's API as well, from PyPI
//!   azurite-3.37.0/node_modules/         a server like Azure's, from npm
//! ```

#![allow(dead_code, reason = "each test uses a part")]

#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../../tests/support/cache.rs"]
mod cache;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../../tests/support/poll.rs"]
pub(crate) mod poll;
#[allow(unreachable_pub, reason = "other tests use it too")]
#[path = "../../../tests/support/pypi.rs"]
mod pypi;

pub(crate) mod operator;
pub(crate) mod proxy;

use cache::{cache, lock};
use std::{
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

const MOTO: &str = "moto[server]==5.2.5";
const AZURITE: &str = "3.37.0";
const AZURE_CLIENT: &str = "12.34.0";

/// What users of a bucket do, as `docs/fleet.md` says.
pub(crate) const READS: &[&str] = &["s3:ListBucket", "s3:GetObject"];
pub(crate) const FUZZES: &[&str] = &["s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"];

/// A server that ends with this value.
pub(crate) struct Server {
    start: Box<dyn Fn() -> Command>,
    child: Child,
    port: u16,
}

impl Server {
    fn start(start: impl Fn(u16) -> Command + 'static) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let start = Box::new(move || start(port));
        let child = start().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let server = Self { start, child, port };
        server.wait();
        server
    }

    fn wait(&self) {
        poll::poll_until("the server", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again, on what it left.
    pub(crate) fn restart(&mut self) {
        self.child = (self.start)().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        self.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A NATS server with JetStream, which keeps its streams in a folder.
pub(crate) fn nats(folder: &Path) -> Server {
    nats_configured(folder, "")
}

/// The same with what a file of its configuration says besides.
pub(crate) fn nats_configured(folder: &Path, configuration: &str) -> Server {
    let (executable, folder) = (nats_server(), folder.to_owned());
    let file = folder.join("nats.conf");
    std::fs::write(&file, configuration).unwrap();
    Server::start(move |port| with_jetstream(Command::new(&executable), port, &folder, &file))
}

/// One where a user may do everything (`fuzzer:f`) and another one only read (`reader:r`), as `docs/fleet.md` says.
pub(crate) fn nats_with_roles(folder: &Path) -> Server {
    let page = include_str!("../../../docs/fleet.md");
    let (_, configuration) = page.split_once("```text\nauthorization").unwrap();
    let configuration = configuration.split_once("```").unwrap().0.replace("$FUZZER", "f").replace("$READER", "r");
    nats_configured(folder, &format!("authorization{configuration}"))
}

/// The start of a NATS server with what it needs to keep streams in a folder.
fn with_jetstream(mut command: Command, port: u16, folder: &Path, configuration: &Path) -> Command {
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder).arg("-c").arg(configuration);
    command
}

/// What runs a program that follows, for which this folder is a disk of so many bytes. None if this user may not make one.
pub(crate) fn on_small_disk(folder: &Path, bytes: u64) -> Option<Command> {
    let unshared = ["--user", "--map-root-user", "--mount", "--kill-child", "sh", "-c"];
    let mount = format!("mount -t tmpfs -o size={bytes} tmpfs \"$0\"");
    let tried = Command::new("unshare").args(unshared).arg(&mount).arg(folder).output();
    if !tried.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(unshared).arg(format!("{mount} && exec \"$@\"")).arg(folder);
    Some(command)
}

/// One that stores its streams on a disk of this many bytes, which only it sees. None if this user may not make one.
pub(crate) fn nats_on_small_disk(folder: &Path, bytes: u64) -> Option<Server> {
    on_small_disk(folder, bytes)?;
    let configuration = tempfile::NamedTempFile::new().unwrap();
    // The server would otherwise see at its start that the disk is small, and refuse streams that could become larger.
    std::fs::write(&configuration, "jetstream { max_file_store: 4GB, max_memory_store: 256MB }").unwrap();
    let (executable, folder) = (nats_server(), folder.to_owned());
    Some(Server::start(move |port| {
        let mut command = on_small_disk(&folder, bytes).unwrap();
        command.arg(&executable);
        with_jetstream(command, port, &folder, configuration.path())
    }))
}

/// The executable of NATS.
fn nats_server() -> PathBuf {
    if Command::new("nats-server").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return "nats-server".into();
    }
    let folder = cache().join("nats-server");
    let _lock = lock("nats-server");
    if !folder.is_dir() {
        let staging = tempfile::tempdir_in(cache()).unwrap();
        run(Command::new("apt-get").args(["--quiet=2", "download", "nats-server"]).current_dir(staging.path()));
        let package = std::fs::read_dir(staging.path()).unwrap().next().unwrap().unwrap().path();
        let root = staging.path().join("root");
        run(Command::new("dpkg-deb").arg("-x").arg(package).arg(&root));
        std::fs::rename(root, &folder).unwrap();
    }
    folder.join("usr/sbin/nats-server")
}

/// A server that speaks like S3, with an empty bucket of this name.
pub(crate) fn s3(bucket: &str) -> Server {
    with_bucket(moto(None), bucket)
}

/// A server that speaks like Google's storage, with an empty bucket of this name.
pub(crate) fn google(bucket: &str) -> Server {
    let python = pypi::executables(MOTO).join("python");
    let server = Server::start(move |port| {
        let mut command = Command::new(&python);
        command.args(["-c", include_str!("google.py"), &port.to_string()]);
        command
    });
    with_bucket(server, bucket)
}

/// A server where whoever may write may also make a bucket, with an empty one.
fn with_bucket(server: Server, bucket: &str) -> Server {
    let url = format!("http://127.0.0.1:{}/{bucket}", server.port);
    run(Command::new("curl").args(["--silent", "--fail", "--retry", "9", "--retry-all-errors", "-X", "PUT", &url]));
    server
}

/// The same, where users may do so much. Returns the id and the secret of each one's key.
pub(crate) fn s3_with_roles<const USERS: usize>(bucket: &str, may: [&[&str]; USERS]) -> (Server, [[String; 2]; USERS]) {
    // One makes the bucket, and three make a user; from then on users are asked for their keys.
    let server = moto(Some(1 + 3 * USERS));
    let make = "import boto3, json, sys
_, endpoint, bucket, *users = sys.argv
open = lambda what: boto3.client(what, endpoint_url=endpoint, region_name='us-east-1', aws_access_key_id='test', aws_secret_access_key='test')
open('s3').create_bucket(Bucket=bucket)
iam = open('iam')
for number, actions in enumerate(users):
    name = f'user-{number}'
    policy = {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': actions.split(), 'Resource': '*'}]}
    iam.create_user(UserName=name)
    iam.put_user_policy(UserName=name, PolicyName=name, PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName=name)['AccessKey']
    print(key['AccessKeyId'], key['SecretAccessKey'])
";
    let mut python = Command::new(pypi::executables(MOTO).join("python"));
    python.args(["-c", make, &format!("http://127.0.0.1:{}", server.port), bucket]);
    let output = python.args(may.map(|actions| actions.join(" "))).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words = text.split_whitespace().map(str::to_owned);
    let keys = std::array::from_fn(|_| std::array::from_fn(|_| words.next().unwrap()));
    (server, keys)
}

/// A server that speaks like S3. It asks for keys after so many requests, or never.
fn moto(without_keys: Option<usize>) -> Server {
    let executable = pypi::executables(MOTO).join("moto_server");
    Server::start(move |port| {
        let mut command = Command::new(&executable);
        command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        command.envs(without_keys.map(|count| ("INITIAL_NO_AUTH_ACTION_COUNT", count.to_string())));
        command
    })
}

/// A server that speaks like Azure's, with an empty container of this name. The account is the one that all such servers have.
pub(crate) fn azure(container: &str) -> Server {
    let modules = azurite();
    let blobs = modules.join("azurite/dist/src/blob/main.js");
    let server = Server::start(move |port| {
        let mut command = Command::new("node");
        command.arg(&blobs).args(["--blobPort", &port.to_string()]);
        command.args(["--blobHost", "127.0.0.1", "--silent", "--skipApiVersionCheck", "--inMemoryPersistence"]);
        command
    });
    let make = "const [, modules, url, container] = process.argv;\
        const { BlobServiceClient, StorageSharedKeyCredential } = require(modules + '/@azure/storage-blob');\
        const { EMULATOR_ACCOUNT_NAME, EMULATOR_ACCOUNT_KEY_STR } = require(modules + '/azurite/dist/src/blob/utils/constants.js');\
        const who = new StorageSharedKeyCredential(EMULATOR_ACCOUNT_NAME, EMULATOR_ACCOUNT_KEY_STR);\
        new BlobServiceClient(url + '/' + EMULATOR_ACCOUNT_NAME, who).createContainer(container);";
    let url = format!("http://127.0.0.1:{}", server.port);
    run(Command::new("node").args(["-e", make]).arg(azurite()).args([&url, container]));
    server
}

/// The folder of modules with Azurite.
fn azurite() -> PathBuf {
    let folder = cache().join(format!("azurite-{AZURITE}"));
    let _lock = lock("azurite");
    if !folder.is_dir() {
        let staging = tempfile::tempdir_in(cache()).unwrap();
        let packages = [format!("azurite@{AZURITE}"), format!("@azure/storage-blob@{AZURE_CLIENT}")];
        let install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", "."];
        run(Command::new("npm").args(install).args(packages).current_dir(staging.path()));
        std::fs::rename(staging.keep(), &folder).unwrap();
    }
    folder.join("node_modules")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
