//! What this machine lets Chrome do.

use super::Sandbox;

/// What was decided for this machine, and what the user should know of it.
#[derive(Debug, Default)]
pub(super) struct Machine {
    pub(super) sandbox: bool,
    pub(super) small_shared_memory: bool,
    pub(super) notices: Vec<String>,
}

/// Said when a start with the sandbox has failed.
pub(super) const NO_SANDBOX_HERE: &str = "Chrome's sandbox cannot be used on this machine (no user namespaces for it), so it is off (--no-sandbox): open only pages that you trust";

/// Chrome's own advice for containers; below this, tabs with large pictures crash.
#[cfg(target_os = "linux")]
const ENOUGH_SHARED_MEMORY: u64 = 512 << 20;

pub(super) fn look(wanted: Sandbox) -> Machine {
    let mut machine = Machine { sandbox: true, ..Machine::default() };
    match (wanted, obstacle()) {
        (Sandbox::On, _) | (Sandbox::Auto, None) => {}
        (Sandbox::Off, _) => machine.sandbox = false,
        (Sandbox::Auto, Some(obstacle)) => {
            machine.sandbox = false;
            machine.notices.push(obstacle);
        }
    }
    if let Some(size) = small_shared_memory() {
        machine.small_shared_memory = true;
        machine.notices.push(format!(
            "/dev/shm has only {} MB free, so Chrome uses the temporary folder instead (--disable-dev-shm-usage)",
            size >> 20
        ));
    }
    machine
}

/// Why Chrome would refuse to start with its sandbox.
#[cfg(unix)]
fn obstacle() -> Option<String> {
    if rustix::process::geteuid().is_root() {
        return Some("running as root, where Chrome's sandbox cannot be used, so it is off (--no-sandbox): open only pages that you trust".to_owned());
    }
    // Other hindrances, such as the rules of a container, show when Chrome starts.
    let off = |path: &str| std::fs::read_to_string(path).is_ok_and(|value| value.trim() == "0");
    let namespaces = ["/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone"];
    namespaces.into_iter().any(off).then(|| NO_SANDBOX_HERE.to_owned())
}

#[cfg(not(unix))]
fn obstacle() -> Option<String> {
    None
}

/// How many bytes are free in `/dev/shm`, when they are too few.
#[cfg(target_os = "linux")]
fn small_shared_memory() -> Option<u64> {
    let free = match rustix::fs::statvfs("/dev/shm") {
        Ok(memory) => memory.f_bavail.saturating_mul(memory.f_frsize),
        Err(_) => 0,
    };
    (free < ENOUGH_SHARED_MEMORY).then_some(free)
}

#[cfg(not(target_os = "linux"))]
fn small_shared_memory() -> Option<u64> {
    None
}

/// Whether a browser that has ended said that it has no sandbox.
pub(super) fn blames_the_sandbox(said: &str) -> bool {
    said.contains("No usable sandbox") || said.contains("sandbox_linux") || said.contains("zygote_host_impl_linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_decides_without_a_word() {
        assert!(look(Sandbox::On).sandbox);
        assert!(!look(Sandbox::Off).sandbox);
        assert!(!look(Sandbox::Off).notices.iter().any(|notice| notice.contains("sandbox")));
    }

    #[cfg(unix)]
    #[test]
    fn root_goes_without_and_is_told_so() {
        if rustix::process::geteuid().is_root() {
            let machine = look(Sandbox::Auto);
            assert!(!machine.sandbox);
            assert!(machine.notices.iter().any(|notice| notice.contains("--no-sandbox")), "{:?}", machine.notices);
        }
    }

    #[test]
    fn chromes_complaints_about_the_sandbox_are_understood() {
        let said =
            "[1:1:0101/000000.000:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:127] No usable sandbox!";
        assert!(blames_the_sandbox(said));
        assert!(!blames_the_sandbox("Missing X server or $DISPLAY"));
    }
}
