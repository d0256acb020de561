//! From rules to a filter program of the kernel's classic BPF.
//!
//! For each system call its rules are tried in order and the first whose conditions all hold decides; a call
//! without a rule is allowed. Numbers above those known here do not exist for the child, so that a call which a
//! later kernel adds is not open by default.

use serde::{Deserialize, Serialize};

/// One instruction, as the kernel lays it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BpfInstruction {
    pub(crate) code: u16,
    /// How many instructions to skip when a comparison holds.
    pub(crate) yes: u8,
    /// How many when it does not.
    pub(crate) no: u8,
    pub(crate) value: u32,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallAction {
    /// The kernel makes the call.
    Allow,
    /// It fails with this error number.
    Fail(u16),
    /// The host is asked.
    Ask,
    /// The process dies.
    Kill,
}

/// Something about an argument's lower 32 bits, which is all that the kernel looks at in the arguments judged here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentCondition {
    /// `argument & mask == value`
    Is { argument: u8, mask: u32, value: u32 },
    /// `argument & mask != value`
    IsNot { argument: u8, mask: u32, value: u32 },
}

/// What becomes of one system call when all conditions hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallRule {
    pub(crate) call: u32,
    pub(crate) when: Vec<ArgumentCondition>,
    pub(crate) action: CallAction,
}

const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
const AND: u16 = 0x54; // BPF_ALU | BPF_AND | BPF_K
const EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const ALWAYS: u16 = 0x05; // BPF_JMP | BPF_JA
const RETURN: u16 = 0x06; // BPF_RET | BPF_K

/// Where things are in the record that the program looks at.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xC000_00B7;

/// The first number that no rule was written for. x32 numbers, which start at 2^30, are above it.
pub(crate) const FIRST_UNKNOWN_CALL: u32 = 470;

/// How many comparisons share an end, which must not be too far for a jump.
const COMPARISONS_PER_END: usize = 200;

/// How many numbers are compared one after the other: fewer make a longer program, more a longer way through it, and
/// both are time.
const LISTED: u32 = 6;

/// The longest program that the kernel takes.
const MAX_INSTRUCTIONS: usize = 4096;

/// Rules that no program can be made of: it, or a jump in it, would be too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the filter of system calls is longer than the kernel takes")]
pub(crate) struct TooLong;

/// Builds the program. Rules of one call keep their order.
///
/// The number of a call is found by halves. Whoever installs a filter waits while the kernel tries it with every number
/// there is, to know which calls it need not be asked about; so the way to each end is time, more than the length. One
/// comparison after the other for some 100 calls took 140 to 170 µs of each launch, halves take 75 to 90.
pub(crate) fn assemble(rules: &[CallRule]) -> Result<Vec<BpfInstruction>, TooLong> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(EQUAL, NATIVE, 1, 0),
        end(CallAction::Kill),
        load(NUMBER),
    ];
    program.extend(search(&ranges_of(rules)?)?);
    match program.len() {
        ..=MAX_INSTRUCTIONS => Ok(program),
        _ => Err(TooLong),
    }
}

/// Numbers of calls that follow each other, and what becomes of them: an end, or a block that comes to one.
struct CallRange {
    first: u32,
    last: u32,
    leaf: Vec<BpfInstruction>,
}

/// Every number there is, in order. Neighbours that come to the same end are one range.
fn ranges_of(rules: &[CallRule]) -> Result<Vec<CallRange>, TooLong> {
    let mut calls: Vec<u32> = rules.iter().map(|rule| rule.call).collect();
    calls.sort_unstable();
    calls.dedup();
    let mut ranges: Vec<CallRange> = Vec::new();
    let mut put = |first: u32, last: u32, leaf: Vec<BpfInstruction>| match ranges.last_mut() {
        Some(before) if before.leaf == leaf => before.last = last,
        Some(_) | None => ranges.push(CallRange { first, last, leaf }),
    };
    let mut next = 0;
    for call in calls.into_iter().filter(|call| *call < FIRST_UNKNOWN_CALL) {
        if next < call {
            put(next, call - 1, vec![end(CallAction::Allow)]);
        }
        let own: Vec<&CallRule> = rules.iter().filter(|rule| rule.call == call).collect();
        put(call, call, block_of(&own)?);
        next = call + 1;
    }
    if next < FIRST_UNKNOWN_CALL {
        put(next, FIRST_UNKNOWN_CALL - 1, vec![end(CallAction::Allow)]);
    }
    put(
        FIRST_UNKNOWN_CALL,
        u32::MAX,
        vec![end(CallAction::Fail(libc::ENOSYS as u16))],
    );
    Ok(ranges)
}

/// Looks the loaded number up: one half or the other, until few are left.
fn search(ranges: &[CallRange]) -> Result<Vec<BpfInstruction>, TooLong> {
    if let [only] = ranges {
        return Ok(only.leaf.clone());
    }
    if let Some(list) = list_of(ranges)? {
        return Ok(list);
    }
    let (lower, upper) = ranges.split_at(ranges.len() / 2);
    let first = upper.first().map(|range| range.first).ok_or(TooLong)?;
    let (lower, upper) = (search(lower)?, search(upper)?);
    let mut program = match u8::try_from(lower.len()) {
        Ok(length) => vec![jump(AT_LEAST, first, length, 0)],
        // Too far for a comparison; a jump without one reaches everywhere.
        Err(_) => vec![jump(AT_LEAST, first, 0, 1), jump_over(&lower)?],
    };
    program.extend(lower);
    program.extend(upper);
    Ok(program)
}

/// Ranges with few numbers in them that are not simply allowed, one comparison each; nothing if there are more.
fn list_of(ranges: &[CallRange]) -> Result<Option<Vec<BpfInstruction>>, TooLong> {
    let allowed = [end(CallAction::Allow)];
    let mut list = Vec::new();
    let mut ends: Vec<(BpfInstruction, Vec<u32>)> = Vec::new();
    let mut listed = 0;
    for range in ranges.iter().filter(|range| range.leaf != allowed) {
        listed += range.last - range.first + 1;
        if listed > LISTED {
            return Ok(None);
        }
        let numbers = range.first..=range.last;
        match range.leaf.as_slice() {
            [only] => match ends.iter_mut().find(|(end, _)| end == only) {
                Some((_, known)) => known.extend(numbers),
                None => ends.push((*only, numbers.collect())),
            },
            block => {
                let Ok(length) = u8::try_from(block.len()) else {
                    return Ok(None);
                };
                list.push(jump(EQUAL, range.first, 0, length));
                list.extend_from_slice(block);
            }
        }
    }
    for (end, numbers) in ends {
        list.extend(one_of(&numbers, end)?);
    }
    list.extend(allowed);
    Ok(Some(list))
}

/// Comes to an end if what was loaded is one of these values, and goes on behind it if it is none.
fn one_of(values: &[u32], end: BpfInstruction) -> Result<Vec<BpfInstruction>, TooLong> {
    let mut part = Vec::with_capacity(values.len() + 1);
    for (index, value) in values.iter().enumerate() {
        let to_end = u8::try_from(values.len() - index - 1).map_err(|_| TooLong)?;
        part.push(match to_end {
            0 => jump(EQUAL, *value, 0, 1),
            to_end => jump(EQUAL, *value, to_end, 0),
        });
    }
    part.push(end);
    Ok(part)
}

/// The rules of one call, and that it is allowed when none applies.
fn block_of(rules: &[&CallRule]) -> Result<Vec<BpfInstruction>, TooLong> {
    let mut block = Vec::new();
    // The argument that is loaded whole wherever the next rule is come to from.
    let mut loaded: Option<u8> = None;
    let mut rest = rules;
    while let [rule, after @ ..] = rest {
        if rule.when.is_empty() {
            block.push(end(rule.action));
            return Ok(block);
        }
        if let Some((argument, values, after)) = values_of(rest) {
            if loaded != Some(argument) {
                block.push(load_argument(argument));
            }
            for values in values.chunks(COMPARISONS_PER_END) {
                block.extend(one_of(values, end(rule.action))?);
            }
            (loaded, rest) = (Some(argument), after);
            continue;
        }
        block.extend(conditions_of(rule, loaded)?);
        (loaded, rest) = (None, after);
    }
    block.push(end(CallAction::Allow));
    Ok(block)
}

/// The rules at the front that only compare one and the same argument, as a whole, and do the same about it: the
/// argument, the values, and the rules behind them.
fn values_of<'r, 'a>(rules: &'r [&'a CallRule]) -> Option<(u8, Vec<u32>, &'r [&'a CallRule])> {
    let value = |rule: &CallRule| match rule.when.as_slice() {
        &[
            ArgumentCondition::Is {
                argument,
                mask: u32::MAX,
                value,
            },
        ] => Some((argument, value)),
        _ => None,
    };
    let first = rules.first()?;
    let (argument, _) = value(first)?;
    let alike = rules.iter().map_while(|rule| {
        let (own, value) = value(rule)?;
        (own == argument && rule.action == first.action).then_some(value)
    });
    let values: Vec<u32> = alike.collect();
    let after = rules.get(values.len()..)?;
    Some((argument, values, after))
}

/// One rule: each condition that does not hold skips what is left of it.
fn conditions_of(rule: &CallRule, loaded: Option<u8>) -> Result<Vec<BpfInstruction>, TooLong> {
    let mut left: usize = 1;
    let mut parts = vec![vec![end(rule.action)]];
    for (index, condition) in rule.when.iter().enumerate().rev() {
        let to_next = u8::try_from(left).map_err(|_| TooLong)?;
        let (argument, mask, comparison) = match *condition {
            ArgumentCondition::Is {
                argument,
                mask,
                value,
            } => (argument, mask, jump(EQUAL, value, 0, to_next)),
            ArgumentCondition::IsNot {
                argument,
                mask,
                value,
            } => (argument, mask, jump(EQUAL, value, to_next, 0)),
        };
        let mut part = Vec::with_capacity(3);
        if index > 0 || loaded != Some(argument) {
            part.push(load_argument(argument));
        }
        if mask != u32::MAX {
            part.push(BpfInstruction {
                code: AND,
                yes: 0,
                no: 0,
                value: mask,
            });
        }
        part.push(comparison);
        left += part.len();
        parts.push(part);
    }
    Ok(parts.into_iter().rev().flatten().collect())
}

fn jump_over(block: &[BpfInstruction]) -> Result<BpfInstruction, TooLong> {
    let length = u32::try_from(block.len()).map_err(|_| TooLong)?;
    Ok(jump(ALWAYS, length, 0, 0))
}

fn load_argument(argument: u8) -> BpfInstruction {
    load(ARGUMENTS + u32::from(argument) * 8)
}

fn load(offset: u32) -> BpfInstruction {
    BpfInstruction {
        code: LOAD,
        yes: 0,
        no: 0,
        value: offset,
    }
}

fn jump(code: u16, value: u32, yes: u8, no: u8) -> BpfInstruction {
    BpfInstruction { code, yes, no, value }
}

fn end(action: CallAction) -> BpfInstruction {
    let value = match action {
        CallAction::Allow => libc::SECCOMP_RET_ALLOW,
        CallAction::Fail(error) => libc::SECCOMP_RET_ERRNO | u32::from(error),
        CallAction::Ask => libc::SECCOMP_RET_USER_NOTIF,
        CallAction::Kill => libc::SECCOMP_RET_KILL_PROCESS,
    };
    BpfInstruction {
        code: RETURN,
        yes: 0,
        no: 0,
        value,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the kernel would do: runs the program on a record.
    fn run(program: &[BpfInstruction], architecture: u32, number: u32, arguments: [u64; 6]) -> u32 {
        let mut record = Vec::new();
        record.extend(number.to_le_bytes());
        record.extend(architecture.to_le_bytes());
        record.extend([0; 8]);
        arguments
            .iter()
            .for_each(|argument| record.extend(argument.to_le_bytes()));
        let (mut at, mut accumulator) = (0, 0_u32);
        loop {
            let instruction = program[at];
            at += 1;
            match instruction.code {
                LOAD => {
                    let from = instruction.value as usize;
                    accumulator = u32::from_le_bytes(record[from..from + 4].try_into().unwrap());
                }
                AND => accumulator &= instruction.value,
                EQUAL | AT_LEAST => {
                    let holds = match instruction.code {
                        EQUAL => accumulator == instruction.value,
                        _ => accumulator >= instruction.value,
                    };
                    at += usize::from(if holds { instruction.yes } else { instruction.no });
                }
                ALWAYS => at += instruction.value as usize,
                RETURN => return instruction.value,
                other => panic!("instruction {other:#x} is not used here"),
            }
        }
    }

    /// What the rules say, without a program.
    fn judge(rules: &[CallRule], number: u32, arguments: [u64; 6]) -> CallAction {
        if number >= FIRST_UNKNOWN_CALL {
            return CallAction::Fail(libc::ENOSYS as u16);
        }
        let holds = |condition: &ArgumentCondition| match *condition {
            ArgumentCondition::Is {
                argument,
                mask,
                value,
            } => arguments[argument as usize] as u32 & mask == value,
            ArgumentCondition::IsNot {
                argument,
                mask,
                value,
            } => arguments[argument as usize] as u32 & mask != value,
        };
        rules
            .iter()
            .find(|rule| rule.call == number && rule.when.iter().all(holds))
            .map_or(CallAction::Allow, |rule| rule.action)
    }

    fn any_condition() -> impl Strategy<Value = ArgumentCondition> {
        (
            any::<bool>(),
            0..6_u8,
            prop_oneof![Just(u32::MAX), Just(3), any::<u32>()],
            0..4_u32,
        )
            .prop_map(|(is, argument, mask, value)| match is {
                true => ArgumentCondition::Is {
                    argument,
                    mask,
                    value,
                },
                false => ArgumentCondition::IsNot {
                    argument,
                    mask,
                    value,
                },
            })
    }

    fn any_rule() -> impl Strategy<Value = CallRule> {
        let action = prop_oneof![
            Just(CallAction::Allow),
            Just(CallAction::Ask),
            Just(CallAction::Kill),
            (1..100_u16).prop_map(CallAction::Fail)
        ];
        (0..6_u32, prop::collection::vec(any_condition(), 0..4), action)
            .prop_map(|(call, when, action)| CallRule { call, when, action })
    }

    fn any_arguments() -> impl Strategy<Value = [u64; 6]> {
        prop::array::uniform6(prop_oneof![0..4_u64, any::<u64>()])
    }

    proptest! {
        #[test]
        fn the_program_does_what_the_rules_say(
            rules in prop::collection::vec(any_rule(), 0..20),
            number in prop_oneof![0..8_u32, any::<u32>()],
            arguments in any_arguments(),
        ) {
            let program = assemble(&rules).unwrap();
            let expected = end(judge(&rules, number, arguments)).value;
            prop_assert_eq!(run(&program, NATIVE, number, arguments), expected);
        }

    }

    proptest! {
        // Each case is hundreds of rules.
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Far more than a jump with a comparison reaches, of one call, with others around it.
        #[test]
        fn so_does_one_with_hundreds_of_rules_of_one_call(
            rules in prop::collection::vec(any_rule(), 200..400),
            call in 0..6_u32,
            number in 0..8_u32,
            arguments in any_arguments(),
        ) {
            let one = |(index, rule): (usize, CallRule)| CallRule { call: if index % 20 == 0 { rule.call } else { call }, ..rule };
            let rules: Vec<CallRule> = rules.into_iter().enumerate().map(one).filter(|rule| !rule.when.is_empty()).collect();
            let program = assemble(&rules).unwrap();
            let expected = end(judge(&rules, number, arguments)).value;
            prop_assert_eq!(run(&program, NATIVE, number, arguments), expected);
        }

        #[test]
        fn so_does_one_that_compares_many_values(
            values in prop::collection::vec((0..3_u8, 0..1_000_u32, 0..3_u16), 0..600),
            arguments in prop::array::uniform6(0..1_000_u64),
        ) {
            let rule = |(argument, value, error): (u8, u32, u16)| CallRule {
                call: 1,
                when: vec![ArgumentCondition::Is { argument: argument / 2, mask: u32::MAX, value }],
                action: CallAction::Fail(error / 2 + 1),
            };
            let rules: Vec<CallRule> = values.into_iter().map(rule).collect();
            let program = assemble(&rules).unwrap();
            let expected = end(judge(&rules, 1, arguments)).value;
            prop_assert_eq!(run(&program, NATIVE, 1, arguments), expected);
        }
    }

    #[test]
    fn a_jump_that_does_not_fit_is_an_error() {
        let condition = |value| ArgumentCondition::Is {
            argument: 0,
            mask: 1,
            value,
        };
        let rule = |conditions: u32| CallRule {
            call: 1,
            when: (0..conditions).map(condition).collect(),
            action: CallAction::Kill,
        };
        assert!(assemble(&[rule(80)]).is_ok());
        assert_eq!(assemble(&[rule(90)]), Err(TooLong));
        let many: Vec<CallRule> = (0..1_000).map(|_| rule(2)).collect();
        assert_eq!(assemble(&many), Err(TooLong));
    }

    #[test]
    fn foreign_calls_end_the_process_and_numbers_from_the_future_do_not_exist() {
        let program = assemble(&[]).unwrap();
        let i386 = 0x4000_0003;
        assert_eq!(run(&program, i386, 1, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
        let absent = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        assert_eq!(run(&program, NATIVE, FIRST_UNKNOWN_CALL, [0; 6]), absent);
        assert_eq!(run(&program, NATIVE, 0x4000_0000 | 1, [0; 6]), absent); // x32
        assert_eq!(run(&program, NATIVE, u32::MAX, [0; 6]), absent);
        assert_eq!(run(&program, NATIVE, 0, [0; 6]), libc::SECCOMP_RET_ALLOW);
    }
}
