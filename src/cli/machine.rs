//! What the machine can carry.

use std::fs;
use std::num::NonZero;
use std::path::Path;

/// Cores this program may use; control groups and affinities are taken into account by the standard library.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Memory that is free for us in MB, where the system says so: of the machine, or of the container if that is less.
pub(super) fn free_memory_mb() -> Option<u64> {
    let machine = read("/proc/meminfo").and_then(|text| available(&text));
    let group = Path::new("/sys/fs/cgroup");
    let container = (|| {
        let limit: u64 = read(group.join("memory.max"))?.trim().parse().ok()?;
        let used: u64 = read(group.join("memory.current"))?.trim().parse().ok()?;
        Some(limit.saturating_sub(used) / (1024 * 1024))
    })();
    match (machine, container) {
        (Some(machine), Some(container)) => Some(machine.min(container)),
        (machine, container) => machine.or(container),
    }
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_and_anything_else_is_not_guessed() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048000 kB\n"), Some(2000));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(available("MemAvailable: lots\n"), None);
    }
}
