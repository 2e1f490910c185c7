//! Makes a [`Build`] of compiled files: sources and contracts get their numbers here. The output of a file is read once, and
//! again only if it, or the number of a source that its code comes from, changed.

use super::{
    ast::{ContractKind, NodeKind},
    batch::Output,
    build::{Build, Contract, Diagnostic, LeftOut, Severity, Source, SourceId},
    closures::FileId,
    compiled::CompiledFile,
    graph::Graph,
    span::LineIndex,
    standard_json,
};
use crate::project::{FileRole, Project};
use semver::Version;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// The results of compiling a project's files.
pub(super) struct CompiledProject {
    /// A hash over all compiled files.
    pub(super) id: String,
    pub(super) compiled: BTreeMap<FileId, Output>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) failed: BTreeSet<String>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) notes: Vec<String>,
    pub(super) pending: BTreeMap<Version, BTreeSet<String>>,
    pub(super) later: BTreeSet<String>,
}

/// Reads compiled files, and keeps the results for the next build.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    read: HashMap<String, ReadFile>,
}

/// The contracts of a file, read with certain numbers of sources.
#[derive(Debug)]
struct ReadFile {
    source: SourceId,
    sources: BTreeMap<u32, SourceId>,
    contracts: Result<Vec<Arc<Contract>>, String>,
}

impl Assembler {
    pub(super) fn assemble(&mut self, project: &Project, graph: &Graph, parts: CompiledProject) -> Build {
        let CompiledProject { id, compiled, mut diagnostics, failed, left_out, notes, pending, later } = parts;
        let numbers: HashMap<&str, SourceId> =
            compiled.keys().map(|id| graph.closures.name(*id)).zip((0..).map(SourceId)).collect();
        let mut build = Build {
            id,
            root: project.root.clone(),
            test_config: project.test_config,
            properties: project.properties.clone(),
            failed,
            left_out,
            notes,
            pending,
            later,
            ..Build::default()
        };
        let mut kept = HashMap::new();
        for (id, output) in &compiled {
            let (file, name) = (graph.file(*id), graph.closures.name(*id));
            let role = project.role(&file.path);
            build.sources.push(Arc::new(Source {
                path: file.path.clone(),
                name: name.to_owned(),
                text: file.text.clone(),
                lines: LineIndex::new(&file.text),
                imports: file.imports.iter().filter_map(|name| numbers.get(name.as_str()).copied()).collect(),
                ast: output.file.ast.clone(),
                foreign: file.foreign || role != FileRole::Contract,
                is_test: role == FileRole::Test,
            }));
            let read = self.read(project, output, numbers[name], &numbers);
            match &read.contracts {
                Ok(contracts) => build.contracts.extend(contracts.iter().cloned()),
                Err(message) => diagnostics.push(Diagnostic {
                    file: file.path.clone(),
                    span: None,
                    severity: Severity::Error,
                    code: None,
                    message: message.clone(),
                }),
            }
            kept.insert(output.key.clone(), read);
        }
        self.read = kept;
        diagnostics
            .sort_by(|a, b| (&a.file, a.span, a.severity, &a.message).cmp(&(&b.file, b.span, b.severity, &b.message)));
        diagnostics.dedup();
        build.diagnostics = diagnostics;
        build
    }

    fn read(
        &mut self,
        project: &Project,
        output: &Output,
        source: SourceId,
        numbers: &HashMap<&str, SourceId>,
    ) -> ReadFile {
        let file = &output.file;
        let sources = file.ids.iter().filter_map(|(id, name)| Some((*id, *numbers.get(name.as_str())?))).collect();
        if let Some(known) = self.read.remove(&output.key).filter(|it| it.source == source && it.sources == sources) {
            return known;
        }
        let contracts = file.contracts.iter().map(|(name, json)| {
            let read = contract(project, name, source, file, json, &sources);
            read.map(Arc::new).map_err(|error| format!("the ABI of {name} cannot be read: {error}"))
        });
        ReadFile { source, contracts: contracts.collect(), sources }
    }
}

fn contract(
    project: &Project,
    name: &str,
    source: SourceId,
    compiled: &CompiledFile,
    json: &Value,
    sources: &BTreeMap<u32, SourceId>,
) -> Result<Contract, serde_json::Error> {
    let empty = Value::Null;
    let part = |path: &str| json.pointer(path).unwrap_or(&empty);
    let deployed = part("/evm/deployedBytecode");
    let definition = compiled.ast.nodes.iter().find(|node| node.kind == NodeKind::Contract && node.name == name);
    let kind =
        compiled.ast.contract_kinds.iter().find(|(of, _)| of == name).map_or(ContractKind::Contract, |(_, kind)| *kind);
    Ok(Contract {
        name: name.to_owned(),
        source,
        span: definition.map(|node| node.span).unwrap_or_default(),
        kind,
        abi: serde_json::from_value(part("/abi").clone())?,
        creation: standard_json::read_bytecode(part("/evm/bytecode"), sources),
        runtime: standard_json::read_bytecode(deployed, sources),
        immutables: standard_json::read_immutables(deployed),
        storage: serde_json::from_value(part("/storageLayout").clone()).ok().map(Arc::new),
        solc: compiled.solc.clone(),
        evm_version: standard_json::evm_version(project, &compiled.solc),
        settings: compiled.settings.clone(),
    })
}
