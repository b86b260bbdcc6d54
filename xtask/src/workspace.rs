//! The workspace on disk: its root, its cargo, its files. Knows nothing of what is checked or run.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The folder above `xtask`. Cargo says where that is at run time; the place it was built at is the second guess.
    pub(crate) fn find() -> Self {
        let built_at = || PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let xtask = env::var_os("CARGO_MANIFEST_DIR").map_or_else(built_at, PathBuf::from);
        let root = xtask.parent().map_or_else(|| xtask.clone(), Path::to_path_buf);
        Self { root }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn has(&self, relative: &str) -> bool {
        self.path(relative).exists()
    }

    /// The same cargo that started us, so that one toolchain does the whole run.
    pub(crate) fn cargo(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(args).current_dir(&self.root);
        command
    }

    /// Every text file that is the project's own, as (path from the root, text), in order of path.
    pub(crate) fn texts(&self) -> io::Result<Vec<(String, String)>> {
        let mut paths = match self.git_files() {
            Some(paths) => paths,
            None => self.walk()?,
        };
        paths.sort();
        Ok(paths.into_iter().filter_map(|path| self.text(&path).map(|text| (path, text))).collect())
    }

    /// What git tracks or would track, so that a new file is checked before it is committed.
    fn git_files(&self) -> Option<Vec<String>> {
        let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let out = Command::new("git").args(args).current_dir(&self.root).output().ok()?;
        let names = String::from_utf8(out.stdout).ok()?;
        out.status.success().then(|| names.split_terminator('\0').map(str::to_owned).collect())
    }

    /// For a copy without git: everything but build output.
    fn walk(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_name() == "target" || entry.file_name() == ".git" {
                    continue;
                }
                match entry.file_type()? {
                    kind if kind.is_dir() => folders.push(entry.path()),
                    kind if kind.is_file() => found.extend(self.relative(&entry.path())),
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    fn relative(&self, path: &Path) -> Option<String> {
        path.strip_prefix(&self.root).ok()?.to_str().map(|path| path.replace('\\', "/"))
    }

    /// `None` for what is not text, and for a file that git knows but that is gone.
    fn text(&self, relative: &str) -> Option<String> {
        let text = String::from_utf8(fs::read(self.path(relative)).ok()?).ok()?;
        (!text.contains('\0')).then_some(text)
    }
}
