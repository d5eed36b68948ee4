//! A scenario's own JavaScript, in the page's own world.

use serde::Deserialize;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::time::Duration;

use tokio::time::Instant;

use super::error::PageError;
use super::inject;
use super::state::Done;
use super::tab::Page;
use crate::cdp::runtime;

/// What the script is called in the page's stacks.
const NAME: &str = "playscript-step";
/// A page that answers nothing for so long is in a script without end.
const BUSY: Duration = Duration::from_millis(200);

/// Why a script gave nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ScriptError {
    /// It can't be read.
    #[error("the script can't be read: {message}")]
    Unreadable {
        /// The browser's own words.
        message: String,
        /// The line of the script, from 1.
        line: Option<usize>,
    },
    /// It threw.
    #[error("the script failed: {message}")]
    Threw {
        /// What it threw.
        message: String,
        /// The line of the script, from 1.
        line: Option<usize>,
    },
    /// What it gave is nothing that can be kept.
    #[error(
        "the script gave {what}, which can't be kept: give a text, a number, true or false, or lists and maps of these"
    )]
    NoJson {
        /// Such as `a function`.
        what: String,
    },
    /// It did not end.
    #[error("the script did not end in time")]
    Endless,
    /// The page went on to another document.
    #[error("the page went on to another document before the script was done")]
    Left,
    /// Anything else.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// How a script ended in the page.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ended {
    /// Its result as JSON, if there is any.
    Gave(Option<String>),
    /// What it gave instead of JSON.
    Odd(String),
    /// What it threw, and its stack.
    Threw(String, String),
}

impl Page {
    /// Runs an expression or statements in the page's own world, with `args` as names that the script can use; a promise is waited
    /// for. Statements give what they `return`. `None` is no result.
    pub async fn run_script(
        &self,
        script: &str,
        args: &[(String, Json)],
        deadline: Instant,
    ) -> Result<Option<Json>, ScriptError> {
        let _act = self.begin(Done::Script);
        match self.run_in_page(script, args, deadline).await {
            Err(ScriptError::Page(PageError::Moved { .. })) => Err(ScriptError::Left),
            Err(ScriptError::Page(PageError::Busy { .. })) => {
                self.end_script().await;
                Err(ScriptError::Endless)
            }
            other => other,
        }
    }

    async fn run_in_page(
        &self,
        script: &str,
        args: &[(String, Json)],
        deadline: Instant,
    ) -> Result<Option<Json>, ScriptError> {
        let core = self.core();
        let has_world = |state: &mut super::state::State| state.frames.main().and_then(|main| main.main_world);
        let Some(world) = core.until(deadline, has_world).await? else { return Err(ScriptError::Endless) };
        let names: Vec<&str> = args.iter().map(|(name, _)| name.as_str()).collect();
        let names = names.join(", ");
        // The script begins in line 2 of either.
        let expression = format!("async ({names}) => (\n{script}\n)");
        let statements = format!("async ({names}) => {{\n{script}\n}}");
        let function = match self.unreadable(&expression, world, deadline).await? {
            None => expression,
            Some(_) => match self.unreadable(&statements, world, deadline).await? {
                None => statements,
                Some(why) => return Err(why),
            },
        };
        let function_declaration = format!("{}\n//# sourceURL={NAME}\n", wrapped(&function));
        let arguments: Vec<_> = args.iter().map(|(_, value)| runtime::Argument::Value(Cow::Borrowed(value))).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: &function_declaration,
            object_id: None,
            execution_context_id: Some(world),
            arguments: &arguments,
            return_by_value: true,
            await_promise: true,
        };
        let ended: Ended = inject::value(core.call(&core.session, &call, deadline).await?)?;
        match ended {
            Ended::Gave(None) => Ok(None),
            Ended::Gave(Some(text)) => match serde_json::from_str(&text) {
                Ok(value) => Ok(Some(value)),
                Err(error) => Err(PageError::Protocol(format!("the page answered {text}: {error}")).into()),
            },
            Ended::Odd(what) => Err(ScriptError::NoJson { what }),
            Ended::Threw(message, stack) => Err(ScriptError::Threw { message, line: line_in(&stack) }),
        }
    }

    /// Why the browser can't read a function, if so.
    async fn unreadable(
        &self,
        function: &str,
        world: i64,
        deadline: Instant,
    ) -> Result<Option<ScriptError>, PageError> {
        let compile = runtime::CompileScript {
            expression: &format!("({function})"),
            source_url: NAME,
            persist_script: false,
            execution_context_id: world,
        };
        let compiled = self.core().call(&self.core().session, &compile, deadline).await?;
        Ok(compiled.exception_details.map(|details| {
            let message = details.exception.as_ref().map(runtime::RemoteObject::brief).unwrap_or_default();
            let message = message.lines().next().unwrap_or_default().to_owned();
            // Counted from 0, and the script begins in the second line.
            let line = usize::try_from(details.line_number).ok().filter(|line| *line > 0);
            ScriptError::Unreadable { message, line }
        }))
    }

    /// Ends a script that runs without end. Not one that merely waits: what would be ended then is the next script, whosever that is.
    async fn end_script(&self) {
        let core = self.core();
        let probe =
            runtime::Evaluate { expression: "1", context_id: None, return_by_value: true, await_promise: false };
        if let Err(PageError::Busy { .. }) = core.call(&core.session, &probe, Instant::now() + BUSY).await {
            core.session.send(&runtime::TerminateExecution {});
        }
    }
}

/// The function as one that never throws, and tells its result as JSON. It begins in the first line, so that lines count from there.
fn wrapped(function: &str) -> String {
    format!(
        "async (...args) => {{ const run = {function};
        const odd = (it) => typeof it === 'function' ? 'a function' : typeof it === 'symbol' ? 'a symbol' : typeof it === 'bigint' ? 'a BigInt'
          : typeof it === 'number' && !Number.isFinite(it) ? String(it) : it instanceof Node ? 'a node of the page' : it === window ? 'the window' : null;
        let it;
        try {{ it = await run(...args); }} catch (error) {{ return {{ threw: [String(error), String(error?.stack ?? '')] }}; }}
        if (it === undefined) return {{ gave: null }};
        if (odd(it)) return {{ odd: odd(it) }};
        try {{ return {{ gave: JSON.stringify(it) ?? null }}; }} catch (error) {{ return {{ odd: `something that JSON can't hold (${{error.message.split('\\n')[0]}})` }}; }} }}"
    )
}

/// The innermost line of the script in a stack, from 1.
fn line_in(stack: &str) -> Option<usize> {
    let (_, place) = stack.split_once(&format!("{NAME}:"))?;
    let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
    // The function's head stands in the line before.
    digits.parse::<usize>().ok()?.checked_sub(1).filter(|line| *line > 0)
}

#[cfg(test)]
mod tests {
    use super::line_in;

    #[test]
    fn the_line_is_that_of_the_script() {
        let stack =
            "TypeError: x\n    at f (http://h/app.js:9:1)\n    at playscript-step:4:7\n    at playscript-step:12:1";
        assert_eq!(line_in(stack), Some(3));
        assert_eq!(line_in("Error: x\n    at http://h/app.js:9:1"), None);
    }
}
