//! Who gets which number, in memory, in a folder, and on a server like S3.

#[allow(clippy::duplicate_mod, unreachable_pub, reason = "other tests use them too, and a bench that has this module")]
#[path = "../../../tests/servers/mod.rs"]
mod servers;
#[allow(dead_code, unreachable_pub, reason = "other tests use it too")]
#[path = "../../../../tests/support/slow.rs"]
mod slow;

use super::*;
use object_store::{aws::AmazonS3Builder, local::LocalFileSystem, memory::InMemory};

const HOUR: i64 = 3600;
const ONE: &str = "00000000000000aa";
const OTHER: &str = "00000000000000bb";

fn places(store: &Arc<dyn ObjectStore>) -> ObjectPlaces {
    ObjectPlaces::new(store.clone(), Duration::from_secs(5))
}

fn store() -> Arc<dyn ObjectStore> {
    Arc::new(InMemory::new())
}

fn machine(id: &str) -> Machine {
    Machine { id: id.to_owned(), ..Machine::default() }
}

async fn names(store: &Arc<dyn ObjectStore>) -> Vec<String> {
    let listed: Vec<ObjectMeta> = store.list(None).try_collect().await.unwrap();
    listed.iter().map(|meta| meta.location.to_string()).collect()
}

/// News that were written at these times of the store.
fn written(times: &[i64]) -> Listed {
    let meta = |claim: Claim, seconds: i64| ObjectMeta {
        location: claim.location(),
        last_modified: (SystemTime::UNIX_EPOCH + Duration::from_secs(seconds as u64)).into(),
        size: 2,
        e_tag: None,
        version: None,
    };
    let claims = (0..).map(|number| Claim { number, before: 0 });
    Listed { claims: claims.zip(times).map(|(claim, at)| (claim, meta(claim, *at))).collect(), notes: Vec::new() }
}

#[test]
fn who_lives_is_told_by_the_clock_of_the_store() {
    let places = places(&store());
    // The store's clock may differ from that of each machine: only its own times are compared.
    for now in [HOUR, 24 * HOUR, 1_000_000 * HOUR] {
        let times = [now, now - 29, now - 30, now - 31, now - HOUR];
        assert_eq!(places.living(&written(&times), Some(now)), [0, 1, 2], "{now}");
        assert_eq!(places.living(&written(&times), None), [0, 1, 2], "the latest news are new");
    }
    // Where several file servers write the times, a machine on one that is ahead lives, and so do those beside it.
    let ahead = [2 * HOUR + 40, 2 * HOUR, 2 * HOUR - 31];
    assert_eq!(places.living(&written(&ahead), Some(2 * HOUR)), [0, 1]);
    assert!(places.living(&Listed::default(), None).is_empty());
}

#[test]
fn a_claim_is_known_by_its_name() {
    let claim = Claim { number: 12, before: 3 };
    assert_eq!(Claim::named(&claim.name()), Some(claim));
    for other in [
        "12.json",
        "12-3",
        "012-3.json",
        "12-03.json",
        "12-+3.json",
        "4096-0.json",
        "bill.json",
        "now-1-2",
        "1.29a30643673cf355",
    ] {
        assert_eq!(Claim::named(other), None, "{other}");
    }
}

/// Two machines that see the same dead one try to take its number, and only one gets it. The dead one, which lives after all, sees that it
/// lost its number.
async fn one_of_two_gets_the_number_of_a_dead_machine(store: Arc<dyn ObjectStore>) {
    let [mut dead, one, other] = [(); 3].map(|()| places(&store));
    assert_eq!(dead.claim(&machine("dead"), None).await.unwrap().number, 0);
    let (seen, later) = (one.listed().await.unwrap(), one.now().await.unwrap() + HOUR);
    let (a, b) = (machine("a"), machine("b"));
    let taken = tokio::join!(one.take(&a, &seen, later), other.take(&b, &seen, later));
    let [(a, _), (b, _)] = [taken.0.unwrap(), taken.1.unwrap()];
    let mut taken = [a, b].map(|claim| (claim.number == 0, claim.before));
    taken.sort_unstable();
    assert_eq!(taken, [(false, 0), (true, 1)], "{a:?} {b:?}");

    let again = dead.claim(&machine("dead"), None).await.unwrap();
    assert!(![a.number, b.number].contains(&again.number), "{again:?} {a:?} {b:?}");
    let said = dead.said().await.unwrap();
    let mut lives: Vec<&str> = said.iter().map(|(_, machine)| machine.id.as_str()).collect();
    lives.sort_unstable();
    assert_eq!(lives, ["a", "b", "dead"]);
}

#[tokio::test]
async fn one_of_two_gets_the_number_of_a_dead_machine_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    one_of_two_gets_the_number_of_a_dead_machine(Arc::new(store)).await;
}

#[tokio::test]
async fn one_of_two_gets_the_number_of_a_dead_machine_on_an_s3_server() {
    if !slow::is_asked() {
        return;
    }
    let server = servers::s3("corpora");
    // Whoever comes first sets it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let store = AmazonS3Builder::new()
        .with_endpoint(format!("http://127.0.0.1:{}", server.port()))
        .with_allow_http(true)
        .with_bucket_name("corpora")
        .with_region("us-east-1")
        .with_access_key_id("test")
        .with_secret_access_key("test")
        .build();
    one_of_two_gets_the_number_of_a_dead_machine(Arc::new(store.unwrap())).await;
}

/// One that was believed dead says that it lives just when another takes its number: neither has it then.
#[tokio::test]
async fn a_number_whose_machine_is_heard_of_again_is_nobodys() {
    let store = store();
    let [mut slow, other] = [(); 2].map(|()| places(&store));
    slow.claim(&machine("slow"), None).await.unwrap();
    // As if it had been dead when this was listed, and had written since.
    let mut seen = slow.listed().await.unwrap();
    seen.claims.values_mut().for_each(|meta| meta.last_modified -= Duration::from_secs(HOUR as u64));
    let now = slow.now().await.unwrap();
    let (taken, _) = other.take(&machine("other"), &seen, now).await.unwrap();
    assert_ne!(taken.number, 0);
    assert_eq!(slow.claim(&machine("slow"), None).await.unwrap().number, 0);
    assert_eq!(names(&store).await, ["machines/0-2.json".to_owned(), taken.location().to_string()]);
}

/// Who lists slowly may make a name that was there before. The machine that has the number keeps it.
#[tokio::test]
async fn a_claim_that_comes_late_takes_no_number_from_a_machine() {
    let store = store();
    let [mut first, mut second, late] = [(); 3].map(|()| places(&store));
    let seen = late.listed().await.unwrap();
    first.claim(&machine("first"), None).await.unwrap();
    first.release().await;
    second.claim(&machine("second"), None).await.unwrap();
    assert_eq!(names(&store).await, ["machines/0-1.json"]);
    let now = late.now().await.unwrap();
    let (taken, _) = late.take(&machine("late"), &seen, now).await.unwrap();
    assert_ne!(taken.number, 0);
    assert_eq!(second.claim(&machine("second"), None).await.unwrap().number, 0);
    assert_eq!(names(&store).await, ["machines/0-1.json".to_owned(), taken.location().to_string()]);
}

#[tokio::test]
async fn machines_that_fuzz_the_same_contracts_are_counted_together() {
    let store = store();
    let [mut a, mut b, mut c] = [(); 3].map(|()| places(&store));
    let counted = |place: Place| (place.number, place.position, place.peers, place.machines);
    assert_eq!(counted(a.claim(&machine("a"), None).await.unwrap()), (0, 0, 1, 1));
    a.claim(&machine("a"), Some(ONE)).await.unwrap();
    assert_eq!(counted(b.claim(&machine("b"), Some(ONE)).await.unwrap()), (1, 1, 2, 2));
    assert_eq!(counted(c.claim(&machine("c"), Some(OTHER)).await.unwrap()), (2, 0, 1, 3));
    assert_eq!(counted(a.claim(&machine("a"), Some(ONE)).await.unwrap()), (0, 0, 2, 3));
    // Another project's turn.
    assert_eq!(counted(b.claim(&machine("b"), Some(OTHER)).await.unwrap()), (1, 0, 2, 3));
    assert_eq!(counted(a.claim(&machine("a"), Some(ONE)).await.unwrap()), (0, 0, 1, 3));
    b.release().await;
    c.release().await;
    assert_eq!(
        names(&store).await,
        ["machines/0-0.json", "machines/0.00000000000000aa", "machines/1-0.json", "machines/2-0.json"]
    );
    // What one left that was killed.
    store.put(&note_location(&Note { number: 7, set: ONE.to_owned() }), Vec::new().into()).await.unwrap();
    assert_eq!(counted(a.claim(&machine("a"), Some(ONE)).await.unwrap()), (0, 0, 1, 1));
    a.release().await;
    let free = ["machines/0-0.json", "machines/1-0.json", "machines/2-0.json"];
    assert_eq!(names(&store).await, free);
    assert_eq!(a.said().await, Ok(Vec::new()));
    // Who comes next takes the first of them, for the second time.
    assert_eq!(counted(b.claim(&machine("b"), None).await.unwrap()), (0, 0, 1, 1));
    assert_eq!(names(&store).await, ["machines/0-1.json", free[1], free[2]]);
}

#[tokio::test]
async fn who_only_looks_leaves_nothing() {
    let store = store();
    let visitor = places(&store);
    assert_eq!((visitor.said().await, visitor.bill().await), (Ok(Vec::new()), Ok(None)));
    assert!(!visitor.is_used().await.unwrap());
    let mut a = places(&store);
    a.claim(&machine("a"), Some(ONE)).await.unwrap();
    a.settle(Bill::default()).await.unwrap();
    let before = names(&store).await;
    assert_eq!(visitor.said().await.unwrap().len(), 1);
    assert!(visitor.bill().await.unwrap().is_some() && visitor.is_used().await.unwrap());
    assert_eq!(names(&store).await, before);
}
