//! `needs`: which cases must have passed before which.

use super::plan::{Case, Loaded, whole};
use crate::scenario::{Diagnostic, Need, Problems};

/// Gives each case the cases that it needs. Needs that go round in a circle are a problem.
pub(super) fn join(loaded: &[Loaded], cases: &mut [Case], problems: &mut Problems) {
    let file_of = |need: &Need| {
        let wanted = whole(&need.path);
        loaded.iter().position(|loaded| loaded.file == wanted)
    };
    for one in loaded {
        for need in &one.needs {
            // What could not be read was told.
            let Some(needed) = file_of(need) else { continue };
            for case in cases.get_mut(one.cases.clone()).unwrap_or_default() {
                case.needs.extend(loaded[needed].cases.clone());
            }
        }
    }
    let mut state = vec![State::New; loaded.len()];
    for start in 0..loaded.len() {
        visit(start, loaded, &file_of, &mut state, &mut Vec::new(), problems);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Closed,
}

/// Goes along the needs of a file. The way so far is never longer than there are files.
fn visit<'l>(
    file: usize,
    loaded: &'l [Loaded],
    file_of: &impl Fn(&Need) -> Option<usize>,
    state: &mut [State],
    way: &mut Vec<(usize, &'l Need)>,
    problems: &mut Problems,
) {
    if state[file] != State::New {
        return;
    }
    state[file] = State::Open;
    for need in &loaded[file].needs {
        let Some(next) = file_of(need) else { continue };
        way.push((file, need));
        if state[next] == State::Open {
            let from = way.iter().position(|(file, _)| *file == next).unwrap_or(0);
            let round: Vec<String> =
                way[from..].iter().map(|(_, need)| format!("{} needs {}", need.place, need.path.display())).collect();
            problems.add(
                Diagnostic::new("scenarios need each other in a circle")
                    .at(need.place.clone())
                    .label("none of them could be the first")
                    .detail("the way round", round.join("\n"))
                    .next("take one of these needs away"),
            );
        } else {
            visit(next, loaded, file_of, state, way, problems);
        }
        way.pop();
    }
    state[file] = State::Closed;
}
