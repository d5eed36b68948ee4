//! What to say of a pattern that does not hold: which line, why, and the nearest part of the page.

use std::ops::Range;

use super::diff;
use super::draw::{Drawn, Mark, draw};
use super::line_pattern::{By, NamePattern};
use super::matching::{Candidates, Found, Ground, Table, walk_anywhere};
use super::pattern::Pattern;

/// A pattern that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The first line of the pattern that did not match.
    pub pattern_line: usize,
    /// Its bytes in the text of the pattern.
    pub range: Range<usize>,
    /// What is wrong with it: "the name differs; nothing else does".
    pub label: String,
    /// The nearest part of the real outline: `~` a line that differs, `+` one that should not be there, `-` a line of
    /// the pattern that is missing. Lines that match carry no mark.
    pub nearest: String,
}

impl Mismatch {
    fn new(pattern: &Pattern, line: usize, label: String, drawn: &[Drawn]) -> Self {
        let range = pattern.range(line).unwrap_or(0..0);
        Self { pattern_line: line, range, label, nearest: draw(drawn) }
    }
}

/// How many lines of outline and pattern are laid beside each other at most.
const REAL_WINDOW: usize = 300;
const PATTERN_WINDOW: usize = 100;
/// How many places are looked at for the nearest one.
const PLACES: usize = 200;

/// Pattern lines times outline lines up to which the failing line is searched for among all ways to match.
const SEARCHED: usize = 50_000_000;

/// What became of a pattern line when laid beside the outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Beside {
    /// Pattern line and outline line match.
    Meets(usize, usize),
    /// They are meant to be the same, and differ.
    Differs(usize, usize),
    Missing(usize),
    /// An outline line that belongs to no pattern line.
    Left(usize),
}

/// Lays pattern lines beside outline lines, both in order, so that as much as possible agrees.
/// `level` tells whether two lines may be the same as far as their depths go.
fn lay(
    ground: &Ground<'_>,
    pattern: &Pattern,
    wanted: Range<usize>,
    real: Range<usize>,
    level: impl Fn(usize, usize) -> bool,
) -> Vec<Beside> {
    let (all_wanted, all_real) = (wanted, real);
    let wanted = all_wanted.start..all_wanted.end.min(all_wanted.start + PATTERN_WINDOW);
    let real = all_real.start..all_real.end.min(all_real.start + REAL_WINDOW);
    let (rows, columns) = (wanted.len(), real.len());
    // The only line of its role is the one meant, however different its name.
    let lone: Vec<Option<usize>> = wanted
        .clone()
        .map(|p| {
            let line = &pattern.lines[p].line;
            let same = |r: &usize| line.role.is_some() && line.role_matches(&ground.outline.lines[*r]);
            let mut of_role = real.clone().filter(same);
            of_role.next().filter(|_| of_role.next().is_none())
        })
        .collect();
    let pair = |row: usize, column: usize| {
        let (p, r) = (wanted.start + row, real.start + column);
        if !level(p, r) {
            return None;
        }
        let second = ground.contents.second_name(r);
        let (line, outline_line) = (&pattern.lines[p].line, &ground.outline.lines[r]);
        if ground.meets(pattern, p, r).is_some() {
            Some((20.0, true))
        } else if lone[row] == Some(r) || diff::akin(line, outline_line, second) {
            Some((10.0 * diff::likeness(line, outline_line, second), false))
        } else {
            None
        }
    };
    let mut pairs = vec![None; rows * columns];
    let mut best = vec![0.0_f64; (rows + 1) * (columns + 1)];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            pairs[row * columns + column] = pair(row, column);
            let skip_wanted = best[(row + 1) * (columns + 1) + column];
            let skip_real = best[row * (columns + 1) + column + 1];
            let both = pairs[row * columns + column]
                .map_or(f64::MIN, |(score, _)| score + best[(row + 1) * (columns + 1) + column + 1]);
            best[row * (columns + 1) + column] = both.max(skip_wanted).max(skip_real);
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut laid = Vec::new();
    while row < rows || column < columns {
        let here = best[row * (columns + 1) + column];
        let (p, r) = (wanted.start + row, real.start + column);
        if row < rows
            && column < columns
            && let Some((score, meets)) = pairs[row * columns + column]
            && score + best[(row + 1) * (columns + 1) + column + 1] >= here
        {
            laid.push(if meets { Beside::Meets(p, r) } else { Beside::Differs(p, r) });
            row += 1;
            column += 1;
        } else if row < rows && best[(row + 1) * (columns + 1) + column] >= here {
            laid.push(Beside::Missing(p));
            row += 1;
        } else {
            laid.push(Beside::Left(r));
            column += 1;
        }
    }
    // Beyond the windows nothing is known: what is left over at their ends may have its like there.
    while laid.len() > 1
        && match laid.last() {
            Some(Beside::Left(_)) => wanted.end < all_wanted.end,
            Some(Beside::Missing(_)) => real.end < all_real.end,
            _ => false,
        }
    {
        laid.pop();
    }
    laid
}

/// The mismatch of `contains`.
pub(crate) fn not_contained(
    ground: &Ground<'_>,
    pattern: &Pattern,
    candidates: &Candidates,
    parents: &[Option<usize>],
    bound: usize,
) -> Mismatch {
    // The longest beginning of the pattern that is on the page: what follows it is the first line that is not. Most
    // often that is the last one that can be it.
    let (mut holds, mut fails) = (0, bound.max(1));
    if pattern.lines.len().saturating_mul(ground.outline.lines.len()) > SEARCHED {
        // A whole large page as a pattern: the line at which the two part, without a search for the best.
        holds = walk_anywhere(ground, pattern).map_or_else(|met| met.len(), |_| 0).min(fails - 1);
        fails = holds + 1;
    }
    let mut middle = fails - 1;
    while fails - holds > 1 {
        if Table::new(ground, candidates, parents, middle).place(None).is_some() {
            holds = middle;
        } else {
            fails = middle;
        }
        middle = holds + (fails - holds) / 2;
    }
    let failing = fails - 1;
    let table = Table::new(ground, candidates, parents, failing);
    let parent = parents[failing];
    let placed = match parent {
        None => table.place(None).unwrap_or_default(),
        Some(parent) => {
            let place = nearest_place(ground, pattern, candidates, &table, parent, failing);
            place.and_then(|real| table.place(Some((parent, real)))).unwrap_or_default()
        }
    };
    let top = parent.and_then(|_| placed.first().map(|(_, real)| *real));
    let inside = top.map_or(0..ground.outline.lines.len(), |top| top + 1..ground.ends[top]);
    let after = placed.last().map_or(inside.start, |(_, real)| real + 1);
    let end = parent.map_or(pattern.lines.len(), |parent| pattern.end(parent));
    let elsewhere = elsewhere(pattern, candidates, failing, parent, &inside);
    let mut laid: Vec<Beside> = Vec::new();
    let mut label = elsewhere;
    let first_akin = (after..inside.end).find(|&real| akin(ground, pattern, failing, real)).unwrap_or(after);
    let window = first_akin.saturating_sub(REAL_WINDOW / 3).max(after)..inside.end;
    if label.is_some() {
        // It is there, only not here: nothing here stands for it.
        laid.push(Beside::Missing(failing));
        laid.extend(lay(ground, pattern, failing + 1..end, window, |_, _| true));
    } else {
        laid.extend(lay(ground, pattern, failing..end, window, |_, _| true));
    }
    let label = label.take().unwrap_or_else(|| label_of(ground, pattern, failing, &laid, &inside));
    let drawn = draw_contained(ground, pattern, parents, &placed, &laid, inside);
    Mismatch::new(pattern, failing, label, &drawn)
}

fn akin(ground: &Ground<'_>, pattern: &Pattern, line: usize, real: usize) -> bool {
    diff::akin(&pattern.lines[line].line, &ground.outline.lines[real], ground.contents.second_name(real))
}

/// Of the places where the parent is met, the one that has most of what is still wanted.
fn nearest_place(
    ground: &Ground<'_>,
    pattern: &Pattern,
    candidates: &Candidates,
    table: &Table<'_>,
    parent: usize,
    failing: usize,
) -> Option<usize> {
    let below = pattern.lines[failing..].iter();
    let wanted = failing..failing + below.take_while(|line| line.depth > pattern.lines[parent].depth).count().min(20);
    let mut best: Option<(f64, usize)> = None;
    let places = candidates.of(parent).iter().copied();
    for real in places.filter(|&real| table.last(ground, parent, real).is_some()).take(PLACES) {
        let inside = real + 1..ground.ends[real].min(real + REAL_WINDOW);
        let mut score = 0.0;
        for line in wanted.clone() {
            let all = candidates.of(line);
            let first = all.partition_point(|candidate| *candidate < inside.start);
            if all.get(first).is_some_and(|candidate| *candidate < inside.end) {
                score += 1.0;
            }
        }
        let likeness = inside.clone().map(|line| {
            diff::likeness(&pattern.lines[failing].line, &ground.outline.lines[line], ground.contents.second_name(line))
        });
        score += likeness.fold(0.0, f64::max);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, real));
        }
    }
    best.map(|(_, real)| real)
}

/// Whether the failing line is on the page, only not where the pattern has it; and then where.
fn elsewhere(
    pattern: &Pattern,
    candidates: &Candidates,
    failing: usize,
    parent: Option<usize>,
    inside: &Range<usize>,
) -> Option<String> {
    let line = &pattern.lines[failing].line;
    let told = line.name != NamePattern::Any || line.value != NamePattern::Any;
    let all = candidates.of(failing);
    if all.iter().any(|real| inside.contains(real)) {
        let before = failing.checked_sub(1).filter(|before| Some(*before) != parent)?;
        return Some(format!("the order differs: it does not come after `{}`", pattern.lines[before].line));
    }
    match parent {
        Some(parent) if told && !all.is_empty() => {
            Some(format!("it is on the page, but not inside `{}`", pattern.lines[parent].line))
        }
        _ => None,
    }
}

/// What differs at the failing line.
fn label_of(ground: &Ground<'_>, pattern: &Pattern, failing: usize, laid: &[Beside], inside: &Range<usize>) -> String {
    let line = &pattern.lines[failing].line;
    let beside = laid.iter().find_map(|beside| match beside {
        Beside::Differs(p, real) if *p == failing => Some(*real),
        _ => None,
    });
    if let Some(label) =
        beside.and_then(|real| diff::label(line, &ground.outline.lines[real], ground.contents.second_name(real)))
    {
        return label;
    }
    let Some(role) = &line.role else {
        return "nothing of that name here".to_owned();
    };
    let of_role = ground.outline.lines[inside.clone()].iter().filter(|real| line.role_matches(real)).count();
    if of_role > 0 {
        return match line.name {
            NamePattern::Any => format!("no `{role}` like this here"),
            _ => format!("no `{role}` of that name here"),
        };
    }
    match super::roles::nearest_role(role) {
        Some(near) if !super::roles::is_known_role(role) => {
            format!("no such role here; did you mean `{near}`?")
        }
        _ => "no such role here".to_owned(),
    }
}

/// The lines around what was found and what was not.
fn draw_contained(
    ground: &Ground<'_>,
    pattern: &Pattern,
    parents: &[Option<usize>],
    placed: &[(usize, usize)],
    laid: &[Beside],
    inside: Range<usize>,
) -> Vec<Drawn> {
    let mut lines: Vec<Beside> = placed.iter().map(|&(p, real)| Beside::Meets(p, real)).collect();
    lines.extend(laid.iter().filter(|beside| !matches!(beside, Beside::Left(_))));
    // A pattern that is wholly absent is shown beside the beginning of the page.
    let nothing = !lines.iter().any(|beside| matches!(beside, Beside::Meets(..) | Beside::Differs(..)));
    let mut shown: Vec<usize> = Vec::new();
    for beside in &lines {
        if let Beside::Meets(_, real) = beside {
            let near = real.saturating_sub(1).max(inside.start.min(*real))..(real + 2).min(inside.end.max(real + 1));
            shown.extend(near);
        }
        // A line that is there and differs is what is looked for: with its neighbours and all that it stands in.
        if let Beside::Differs(_, real) = beside {
            let mut depth = ground.outline.lines[*real].depth;
            let before = real.saturating_sub(3).max(inside.start.min(*real))..*real;
            shown.extend(before.filter(|line| ground.outline.lines[*line].depth <= depth));
            shown.extend(*real..(real + 4).min(inside.end.max(real + 1)));
            for above in (inside.start.min(*real)..*real).rev() {
                if ground.outline.lines[above].depth < depth {
                    depth = ground.outline.lines[above].depth;
                    shown.push(above);
                }
            }
        }
    }
    if inside.len() <= 16 {
        shown.extend(inside.clone());
    } else if nothing || shown.is_empty() {
        shown.extend(inside.start..inside.start + 10);
    } else if !placed.is_empty() && lines.len() == 2 {
        // Only the parent was found: what it holds is what to choose from.
        shown.extend(inside.start..(inside.start + 10).min(inside.end));
    }
    shown.sort_unstable();
    shown.dedup();
    let mut drawn = Vec::new();
    let mut pending = lines.into_iter().peekable();
    let mut depths = vec![None; pattern.lines.len()];
    let mut previous: Option<usize> = None;
    let mut flush = |drawn: &mut Vec<Drawn>, depths: &mut Vec<Option<usize>>, until: Option<usize>| {
        let mut mark = Mark::Plain;
        while let Some(beside) = pending.peek().copied() {
            match beside {
                Beside::Meets(p, real) | Beside::Differs(p, real) => {
                    if until != Some(real) {
                        break;
                    }
                    depths[p] = Some(ground.outline.lines[real].depth);
                    if matches!(beside, Beside::Differs(..)) {
                        mark = Mark::Differs;
                    }
                    pending.next();
                    break;
                }
                Beside::Missing(p) => {
                    let beneath = parents[p].and_then(|parent| depths[parent]).map(|depth| depth + 1);
                    let beside =
                        (0..p).rev().filter(|other| parents[*other] == parents[p]).find_map(|other| depths[other]);
                    let depth =
                        beneath.or(beside).unwrap_or(ground.outline.lines.get(inside.start).map_or(0, |l| l.depth));
                    depths[p] = Some(depth);
                    drawn.push(Drawn::missing(depth, &pattern.lines[p].line.to_string()));
                    pending.next();
                }
                Beside::Left(_) => {
                    pending.next();
                }
            }
        }
        mark
    };
    for real in shown {
        let depth = ground.outline.lines[real].depth;
        let mark = flush(&mut drawn, &mut depths, Some(real));
        if previous.is_some_and(|previous| previous + 1 < real) {
            let at = drawn.len() - drawn.iter().rev().take_while(|line| line.mark == Mark::Missing).count();
            drawn.insert(at, Drawn::gap(depth));
        }
        drawn.push(Drawn::real(ground.outline, real, mark));
        previous = Some(real);
    }
    flush(&mut drawn, &mut depths, None);
    drawn
}

/// The mismatch of `lacks`: the lines that should not be there.
pub(crate) fn not_lacked(ground: &Ground<'_>, pattern: &Pattern, found: &Found) -> Mismatch {
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut previous: Option<usize> = None;
    for &real in &found.lines {
        if previous.is_some_and(|previous| previous + 1 < real) {
            drawn.push(Drawn::gap(ground.outline.lines[real].depth));
        }
        drawn.push(Drawn::real(ground.outline, real, Mark::Extra));
        previous = Some(real);
    }
    Mismatch::new(pattern, 0, "the page has this".to_owned(), &drawn)
}

/// The mismatch of `equals`. `met` are the outline lines that the first pattern lines met where most of them did.
pub(crate) fn not_equal(ground: &Ground<'_>, pattern: &Pattern, met: &[usize]) -> Mismatch {
    let lines = &ground.outline.lines;
    let first = &pattern.lines[0].line;
    let nearest = || {
        let likeness = |real: &usize| diff::likeness(first, &lines[*real], ground.contents.second_name(*real));
        (0..lines.len())
            .filter(|&real| akin(ground, pattern, 0, real))
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)).then(b.cmp(a)))
    };
    let Some(start) = met.first().copied().or_else(nearest) else {
        let label = label_of(ground, pattern, 0, &[], &(0..lines.len()));
        let mut drawn: Vec<Drawn> = vec![Drawn::missing(0, &first.to_string())];
        drawn.extend((0..lines.len().min(10)).map(|real| Drawn::real(ground.outline, real, Mark::Plain)));
        return Mismatch::new(pattern, 0, label, &drawn);
    };
    let base = lines[start].depth;
    let tops = pattern.lines.iter().filter(|line| line.depth == 0).count();
    let mut end = start;
    for _ in 0..tops {
        if lines.get(end).is_some_and(|line| line.depth == base) {
            end = ground.ends[end];
        }
    }
    // Lines that a leaf says by its text are laid beside nothing.
    let mut laid: Vec<Beside> = Vec::with_capacity(met.len());
    let mut after = start;
    for (p, &real) in met.iter().enumerate() {
        laid.extend((after..real).map(Beside::Left));
        laid.push(Beside::Meets(p, real));
        after = real + 1;
        if p + 1 == met.len() && pattern.end(p) == p + 1 && ground.meets(pattern, p, real) == Some(By::Content) {
            laid.extend((after..ground.ends[real]).map(Beside::Left));
            after = ground.ends[real];
        }
    }
    laid.extend(lay(ground, pattern, met.len()..pattern.lines.len(), after..end.max(after), |p, real| {
        lines[real].depth == base + pattern.lines[p].depth
    }));
    draw_equal(ground, pattern, &laid, base)
}

fn draw_equal(ground: &Ground<'_>, pattern: &Pattern, laid: &[Beside], base: usize) -> Mismatch {
    let lines = &ground.outline.lines;
    let mut drawn = Vec::new();
    let mut wrong: Option<(usize, String)> = None;
    let mut note = |line: usize, label: String| wrong = wrong.take().or(Some((line, label)));
    // The pattern line last met at each depth below the base, to blame for an extra child.
    let mut open: Vec<usize> = Vec::new();
    // Lines below a leaf that its text was matched by are said by it.
    let mut said = 0..0;
    for beside in laid {
        match *beside {
            Beside::Meets(p, real) | Beside::Differs(p, real) => {
                open.truncate(pattern.lines[p].depth);
                open.push(p);
                let second = ground.contents.second_name(real);
                let label = diff::label(&pattern.lines[p].line, &lines[real], second);
                let leaf = pattern.lines.get(p + 1).is_none_or(|next| next.depth <= pattern.lines[p].depth);
                let by = ground.meets(pattern, p, real);
                if leaf && by == Some(By::Content) {
                    said = real + 1..ground.ends[real];
                }
                let mark = if label.is_some() { Mark::Differs } else { Mark::Plain };
                if let Some(label) = label {
                    note(p, label);
                }
                drawn.push(Drawn::real(ground.outline, real, mark));
            }
            Beside::Missing(p) => {
                note(p, "this line is missing on the page".to_owned());
                drawn.push(Drawn::missing(base + pattern.lines[p].depth, &pattern.lines[p].line.to_string()));
            }
            Beside::Left(real) => {
                let extra = !said.contains(&real);
                if extra {
                    let depth = lines[real].depth - base;
                    let blamed = open.get(depth.saturating_sub(1)).or(open.last()).copied().unwrap_or(0);
                    let mut text = String::new();
                    lines[real].print(&mut text, None, Some(100));
                    note(blamed, format!("the page has more here: `{text}`"));
                }
                drawn.push(Drawn::real(ground.outline, real, if extra { Mark::Extra } else { Mark::Plain }));
            }
        }
    }
    let (line, label) = wrong.unwrap_or((0, "the page differs from this".to_owned()));
    Mismatch::new(pattern, line, label, &drawn)
}
