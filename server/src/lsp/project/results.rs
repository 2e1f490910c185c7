//! [`Results`] holds the results of a project: its last build, the reason why there is no newer one, the findings that are true
//! of it, and the contracts that are not fuzzed. It holds values alone, no thread and no campaign, so that requests can read a
//! snapshot of it.

use super::build::{BuildFailure, Compiled};
use crate::lsp::documents::{Documents, TrackedRange};
use bellwether::{
    compile::{self, Build, ContractId, Source},
    finding::{Finding, Pattern, distinct, patterns},
    fuzz::{IdleIgnore, Remark, Survey},
    harness::Harness,
    project::FileRole,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

/// The results of a project. A copy costs a copy of the two maps; their values are shared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Results {
    /// The last build, once there is one.
    pub(crate) compiled: Option<Arc<Compiled>>,
    /// The reason why the last attempt failed, if it did.
    pub(crate) failure: Option<Arc<BuildFailure>>,
    findings: BTreeMap<String, Arc<Finding>>,
    /// The ids of findings that were confirmed on this build.
    confirmed: BTreeSet<String>,
    /// The contracts that are fuzzed, with their worlds.
    fuzzed: Arc<[Arc<Harness>]>,
    /// Ignores that matched nothing when nothing new was found any more.
    idle_ignores: Arc<[IdleIgnore]>,
    /// What there is to say of contracts beside their findings.
    remarks: Arc<[Remark]>,
    /// What was and was not reached when that was last measured.
    survey: Arc<Survey>,
    /// Contracts that are not fuzzed, by file and name.
    not_fuzzed: BTreeMap<(String, String), NotFuzzed>,
}

/// A contract that cannot be fuzzed.
#[derive(Debug, Clone)]
pub(crate) struct NotFuzzed {
    /// Its build.
    pub(crate) build: Arc<Build>,
    /// Its id in that build.
    pub(crate) contract: ContractId,
    /// The reason.
    pub(crate) why: String,
}

impl NotFuzzed {
    /// The file that defines it.
    pub(crate) fn source(&self) -> &Source {
        self.build.source(self.build.contract(self.contract).source)
    }
}

impl std::fmt::Display for NotFuzzed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not fuzzed: {}", self.build.contract(self.contract).name, self.why)
    }
}

impl Results {
    /// Sets the contracts that are fuzzed.
    pub(crate) fn set_fuzzed(&mut self, harnesses: Vec<Arc<Harness>>) {
        self.fuzzed = harnesses.into();
    }

    /// The contracts of a file that are fuzzed, each with the current place of its name.
    pub(crate) fn fuzzed_in<'a>(
        &'a self,
        path: &'a Path,
        documents: &'a Documents,
    ) -> impl Iterator<Item = (&'a Harness, TrackedRange)> {
        self.fuzzed.iter().filter_map(move |harness| {
            let source = harness.build.source(harness.compiled().source);
            let name = (source.path == path).then(|| harness.build.name_span(harness.contract))?;
            Some((&**harness, documents.locate(path, &source.text, name, self.text_on_disk(path))?))
        })
    }

    /// Sets a new build. Known findings stay, as its settings judge them, until they are confirmed or replayed.
    pub(crate) fn built(&mut self, compiled: Arc<Compiled>) {
        for finding in self.findings.values_mut() {
            *finding = Finding::shared_under(finding, &compiled.project.config);
        }
        self.failure = None;
        self.compiled = Some(compiled);
    }

    /// Notes that a build failed. The last good build stays.
    pub(crate) fn failed(&mut self, failure: BuildFailure) {
        self.failure = Some(Arc::new(failure));
    }

    /// Forgets the results of the campaign, which is gone.
    pub(crate) fn forget_campaign(&mut self) {
        self.findings.clear();
        self.fuzzed = Arc::default();
        self.idle_ignores = Arc::default();
        self.remarks = Arc::default();
        self.survey = Arc::default();
        self.not_fuzzed.clear();
    }

    /// Notes that the campaign turns to another build, for which no finding is confirmed yet.
    pub(crate) fn turn(&mut self) {
        self.not_fuzzed.clear();
        self.confirmed.clear();
        self.idle_ignores = Arc::default();
        self.remarks = Arc::default();
    }

    /// Sets the ignores that match nothing. Returns whether they are others than before.
    pub(crate) fn set_idle_ignores(&mut self, idle: Vec<IdleIgnore>) -> bool {
        let changed = *self.idle_ignores != *idle;
        self.idle_ignores = idle.into();
        changed
    }

    /// Sets what there is to say of contracts beside their findings. Returns whether it is something else than before.
    pub(crate) fn set_remarks(&mut self, remarks: Vec<Remark>) -> bool {
        let changed = *self.remarks != *remarks;
        self.remarks = remarks.into();
        changed
    }

    /// Sets what was and was not reached.
    pub(crate) fn set_survey(&mut self, survey: Survey) {
        self.survey = Arc::new(survey);
    }

    /// What was and was not reached when that was last measured.
    pub(crate) fn survey(&self) -> &Survey {
        &self.survey
    }

    /// What there is to say of contracts beside their findings.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter()
    }

    /// The ignores of the project's own files that match nothing.
    pub(crate) fn idle_ignores(&self) -> impl Iterator<Item = &IdleIgnore> {
        let project = self.compiled.as_ref().map(|compiled| &compiled.project);
        let is_own = move |path: &Path| project.is_some_and(|it| it.role(path) != FileRole::Dependency);
        self.idle_ignores.iter().filter(move |idle| is_own(&idle.path))
    }

    /// Sets the findings of the new build: these, those that were confirmed on it meanwhile, and no others.
    pub(crate) fn replayed(&mut self, findings: Vec<Arc<Finding>>) {
        self.findings.retain(|id, _| self.confirmed.contains(id));
        for finding in findings {
            // The list may be older than a finding that was confirmed meanwhile.
            let is_newer = self.findings.get(&finding.id).is_some_and(|known| known.shrunk && !finding.shrunk);
            if !is_newer {
                self.findings.insert(finding.id.clone(), finding);
            }
        }
    }

    /// Adds a finding that was confirmed on this build.
    pub(crate) fn found(&mut self, finding: Arc<Finding>) {
        self.confirmed.insert(finding.id.clone());
        self.findings.insert(finding.id.clone(), finding);
    }

    /// Replaces a finding by one with a shorter sequence.
    pub(crate) fn shrunk(&mut self, finding: Arc<Finding>) {
        self.findings.insert(finding.id.clone(), finding);
    }

    /// Removes a finding that no longer fails. Returns whether it was known.
    pub(crate) fn fixed(&mut self, id: &str) -> bool {
        self.confirmed.remove(id);
        self.findings.remove(id).is_some()
    }

    /// Adds a contract that is not fuzzed.
    pub(crate) fn leave_out(&mut self, left_out: NotFuzzed) {
        let (file, name) = left_out.build.qualified_name(left_out.contract);
        let key = (file.to_owned(), name.to_owned());
        self.not_fuzzed.insert(key, left_out);
    }

    /// Confirmed findings that nobody said are meant, one for each place and oracle, in the order of files and lines.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Arc<Finding>> {
        distinct(self.findings.values().filter(|finding| finding.ignored.is_none())).into_iter()
    }

    /// The same, with code that was copied told once in each file: who has that file open has to see it.
    pub(crate) fn patterns(&self) -> Vec<Pattern<'_>> {
        patterns(self.findings()).iter().flat_map(Pattern::in_each_file).collect()
    }

    /// The current place of a finding; `None` if its lines are gone.
    pub(crate) fn locate(&self, finding: &Finding, documents: &Documents) -> Option<TrackedRange> {
        let source = finding.harness.build.source(finding.violation.place.source);
        documents.locate(&finding.path, &source.text, finding.span, self.text_on_disk(&finding.path))
    }

    /// Whether values are shown on all lines that the failing call of a finding ran.
    pub(crate) fn shows_all_values(&self) -> bool {
        self.compiled.as_ref().is_some_and(|compiled| compiled.project.config.inlay_values == Some(true))
    }

    /// The contracts that are not fuzzed although they should be.
    pub(crate) fn not_fuzzed(&self) -> impl ExactSizeIterator<Item = &NotFuzzed> {
        self.not_fuzzed.values()
    }

    /// The text of a file on disk, if it is not the text in the build.
    pub(crate) fn text_on_disk(&self, path: &Path) -> Option<&str> {
        self.compiled.as_ref()?.texts.get(path).map(String::as_str)
    }

    /// Descriptions of what the last build left out because the workspace is not trusted.
    pub(crate) fn held_back(&self) -> &[String] {
        self.compiled.as_ref().map_or(&[], |compiled| &compiled.held_back)
    }

    /// Messages of compilers that gave no answer in the last build.
    pub(crate) fn unanswered(&self) -> impl Iterator<Item = &str> {
        let said = self.compiled.iter().flat_map(|compiled| &compiled.build.diagnostics);
        said.filter(|said| said.code.as_deref() == Some(compile::NO_ANSWER)).map(|said| said.message.as_str())
    }

    /// Whether compilers that the last build lacked are being fetched.
    pub(crate) fn awaits_compiler(&self) -> bool {
        self.compiled.as_ref().is_some_and(|compiled| !compiled.build.pending.is_empty())
    }

    /// Whether the last build was made from this file.
    pub(crate) fn has_source(&self, path: &Path) -> bool {
        self.compiled.as_ref().is_some_and(|compiled| compiled.build.source_at(path).is_some())
    }

    /// Whether the last build was made from a file in this folder.
    pub(crate) fn has_source_below(&self, folder: &Path) -> bool {
        let mut sources = self.compiled.iter().flat_map(|compiled| &compiled.build.sources);
        sources.any(|source| source.path.starts_with(folder))
    }

    /// Whether nothing of the project can be fuzzed.
    pub(crate) fn is_broken(&self) -> bool {
        let gave_nothing = |build: &Build| build.contracts.is_empty() && build.has_errors();
        self.failure.is_some() || self.compiled.as_ref().is_some_and(|compiled| gave_nothing(&compiled.build))
    }

    /// The problems that keep the project, or a part of it, from being fuzzed.
    pub(crate) fn troubles(&self) -> Vec<String> {
        let mut troubles = Vec::new();
        match self.failure.as_deref() {
            Some(BuildFailure::Project(error)) => troubles.push(error.to_string()),
            Some(BuildFailure::Panic(_)) => troubles.push("internal error: see the log".to_owned()),
            Some(BuildFailure::Superseded) | None => {}
        }
        if let Some(compiled) = &self.compiled {
            let without_file = compiled.build.diagnostics.iter().filter(|said| said.file == compiled.project.root);
            troubles.extend(without_file.map(|said| said.message.clone()));
            let pending = &compiled.build.pending;
            troubles.extend(pending.keys().map(|version| format!("solc {version} is being fetched")));
            let waiting = compiled.build.later.len() + pending.values().map(BTreeSet::len).sum::<usize>();
            match compiled.build.failed.len().saturating_sub(waiting) {
                0 => {}
                1 => troubles.push("1 file does not compile".to_owned()),
                several => troubles.push(format!("{several} files do not compile")),
            }
        }
        match self.not_fuzzed.len() {
            0 => {}
            1 => troubles.extend(self.not_fuzzed.values().map(NotFuzzed::to_string)),
            several => troubles.push(format!("{several} contracts are not fuzzed: see the notes on their names")),
        }
        troubles
    }
}
