//! The order of steps.

pub(super) mod for_each;
pub(super) mod group;
pub(super) mod if_then;
pub(super) mod repeat;
pub(super) mod retry;
pub(super) mod set;
pub(super) mod try_each;
pub(super) mod use_file;

pub(super) mod value;

use tokio::time::Instant;

use super::failure::Failure;
use super::stage::Stage;

/// Performs a loop: `turn` is its own meanwhile, and when it is the outermost and made moves its time is taken down.
async fn looped(stage: &mut Stage, turns: impl AsyncFnOnce(&mut Stage) -> Result<(), Failure>) -> Result<(), Failure> {
    let outermost = stage.turns.is_empty();
    let (started, moves) = (Instant::now(), stage.meter.moves());
    stage.turns.push(0);
    let result = turns(stage).await;
    stage.turns.pop();
    if outermost && stage.meter.moves() > moves {
        stage.meter.looped(started.elapsed());
    }
    result
}

/// The next turn of the innermost loop begins.
fn next_turn(stage: &mut Stage) {
    if let Some(turn) = stage.turns.last_mut() {
        *turn += 1;
    }
}
