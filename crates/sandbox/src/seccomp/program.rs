//! From rules to a filter program of the kernel's classic BPF.
//!
//! For each system call its rules are tried in order and the first whose conditions all hold decides; a call
//! without a rule is allowed. Numbers above those known here do not exist for the child, so that a call which a
//! later kernel adds is not open by default.

use serde::{Deserialize, Serialize};

/// One instruction, as the kernel lays it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Instruction {
    pub(crate) code: u16,
    /// How many instructions to skip when a comparison holds.
    pub(crate) yes: u8,
    /// How many when it does not.
    pub(crate) no: u8,
    pub(crate) value: u32,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// It is made.
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
pub(crate) enum Condition {
    /// `argument & mask == value`
    Is { argument: u8, mask: u32, value: u32 },
    /// `argument & mask != value`
    IsNot { argument: u8, mask: u32, value: u32 },
}

/// What becomes of one system call when all conditions hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) call: u32,
    pub(crate) when: Vec<Condition>,
    pub(crate) action: Action,
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
pub(crate) const UNKNOWN: u32 = 470;

/// How many comparisons share an end, which must not be too far for a jump.
const GROUP: usize = 200;

/// Builds the program. Rules of one call keep their order.
pub(crate) fn assemble(rules: &[Rule]) -> Vec<Instruction> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(EQUAL, NATIVE, 1, 0),
        end(Action::Kill),
        load(NUMBER),
        jump(AT_LEAST, UNKNOWN, 0, 1),
        end(Action::Fail(libc::ENOSYS as u16)),
    ];
    let mut calls: Vec<u32> = rules.iter().map(|rule| rule.call).collect();
    calls.sort_unstable();
    calls.dedup();
    let mut plain: Vec<(u32, Action)> = Vec::new();
    for call in calls {
        let own: Vec<&Rule> = rules.iter().filter(|rule| rule.call == call).collect();
        match own.as_slice() {
            [first, ..] if first.when.is_empty() => plain.push((call, first.action)),
            _ => {
                let block = block_of(own.into_iter());
                let length = u8::try_from(block.len()).unwrap_or(u8::MAX);
                program.push(jump(EQUAL, call, 0, length));
                program.extend(block);
            }
        }
    }
    program.extend(groups_of(&plain));
    program.push(end(Action::Allow));
    program
}

/// Calls that come to the same end whatever their arguments: one comparison each, and one end for all. A filter is
/// translated for each child anew, so its length is time.
fn groups_of(plain: &[(u32, Action)]) -> Vec<Instruction> {
    let mut actions: Vec<Action> = Vec::new();
    for (_, action) in plain {
        if !actions.contains(action) {
            actions.push(*action);
        }
    }
    let mut groups = Vec::new();
    for action in actions {
        let calls: Vec<u32> = plain
            .iter()
            .filter(|(_, own)| *own == action)
            .map(|(call, _)| *call)
            .collect();
        for calls in calls.chunks(GROUP) {
            for (index, call) in calls.iter().enumerate() {
                let to_end = u8::try_from(calls.len() - index).unwrap_or(u8::MAX);
                groups.push(jump(EQUAL, *call, to_end, 0));
            }
            groups.push(jump(ALWAYS, 1, 0, 0));
            groups.push(end(action));
        }
    }
    groups
}

/// The rules of one call, and that it is allowed when none applies.
fn block_of<'r>(rules: impl Iterator<Item = &'r Rule>) -> Vec<Instruction> {
    let mut block = Vec::new();
    for rule in rules {
        // Each condition that does not hold skips the rest of the rule: three instructions for each condition
        // after it, and the one that ends it.
        for (index, condition) in rule.when.iter().enumerate() {
            let rest = u8::try_from((rule.when.len() - index - 1) * 3 + 1).unwrap_or(u8::MAX);
            let (argument, mask, value) = match *condition {
                Condition::Is {
                    argument,
                    mask,
                    value,
                }
                | Condition::IsNot {
                    argument,
                    mask,
                    value,
                } => (argument, mask, value),
            };
            block.push(load(ARGUMENTS + u32::from(argument) * 8));
            block.push(Instruction {
                code: AND,
                yes: 0,
                no: 0,
                value: mask,
            });
            block.push(match condition {
                Condition::Is { .. } => jump(EQUAL, value, 0, rest),
                Condition::IsNot { .. } => jump(EQUAL, value, rest, 0),
            });
        }
        block.push(end(rule.action));
        if rule.when.is_empty() {
            return block;
        }
    }
    block.push(end(Action::Allow));
    block
}

fn load(offset: u32) -> Instruction {
    Instruction {
        code: LOAD,
        yes: 0,
        no: 0,
        value: offset,
    }
}

fn jump(code: u16, value: u32, yes: u8, no: u8) -> Instruction {
    Instruction { code, yes, no, value }
}

fn end(action: Action) -> Instruction {
    let value = match action {
        Action::Allow => libc::SECCOMP_RET_ALLOW,
        Action::Fail(error) => libc::SECCOMP_RET_ERRNO | u32::from(error),
        Action::Ask => libc::SECCOMP_RET_USER_NOTIF,
        Action::Kill => libc::SECCOMP_RET_KILL_PROCESS,
    };
    Instruction {
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
    fn run(program: &[Instruction], architecture: u32, number: u32, arguments: [u64; 6]) -> u32 {
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
    fn judge(rules: &[Rule], number: u32, arguments: [u64; 6]) -> Action {
        if number >= UNKNOWN {
            return Action::Fail(libc::ENOSYS as u16);
        }
        let holds = |condition: &Condition| match *condition {
            Condition::Is {
                argument,
                mask,
                value,
            } => arguments[argument as usize] as u32 & mask == value,
            Condition::IsNot {
                argument,
                mask,
                value,
            } => arguments[argument as usize] as u32 & mask != value,
        };
        rules
            .iter()
            .find(|rule| rule.call == number && rule.when.iter().all(holds))
            .map_or(Action::Allow, |rule| rule.action)
    }

    fn any_condition() -> impl Strategy<Value = Condition> {
        (
            any::<bool>(),
            0..6_u8,
            prop_oneof![Just(u32::MAX), Just(3), any::<u32>()],
            0..4_u32,
        )
            .prop_map(|(is, argument, mask, value)| match is {
                true => Condition::Is {
                    argument,
                    mask,
                    value,
                },
                false => Condition::IsNot {
                    argument,
                    mask,
                    value,
                },
            })
    }

    fn any_rule() -> impl Strategy<Value = Rule> {
        let action = prop_oneof![
            Just(Action::Allow),
            Just(Action::Ask),
            Just(Action::Kill),
            (1..100_u16).prop_map(Action::Fail)
        ];
        (0..6_u32, prop::collection::vec(any_condition(), 0..4), action)
            .prop_map(|(call, when, action)| Rule { call, when, action })
    }

    proptest! {
        #[test]
        fn the_program_does_what_the_rules_say(
            rules in prop::collection::vec(any_rule(), 0..20),
            number in prop_oneof![0..8_u32, any::<u32>()],
            arguments in prop::array::uniform6(prop_oneof![0..4_u64, any::<u64>()]),
        ) {
            let program = assemble(&rules);
            let expected = end(judge(&rules, number, arguments)).value;
            prop_assert_eq!(run(&program, NATIVE, number, arguments), expected);
        }
    }

    #[test]
    fn foreign_calls_end_the_process_and_numbers_from_the_future_do_not_exist() {
        let program = assemble(&[]);
        let i386 = 0x4000_0003;
        assert_eq!(run(&program, i386, 1, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
        let absent = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        assert_eq!(run(&program, NATIVE, UNKNOWN, [0; 6]), absent);
        assert_eq!(run(&program, NATIVE, 0x4000_0000 | 1, [0; 6]), absent); // x32
        assert_eq!(run(&program, NATIVE, u32::MAX, [0; 6]), absent);
        assert_eq!(run(&program, NATIVE, 0, [0; 6]), libc::SECCOMP_RET_ALLOW);
    }
}
