//! Texts of agents: what is read, what is built, and how mistakes are named.

use proptest::prelude::*;
use wurfel_agents::{Spec, agents, build, parse_time};
use wurfel_games::einstein::Einstein;

proptest! {
    #[test]
    fn no_text_panics(
        text in ".{0,40}",
        name in "expecti|star2|uct|flat|random",
        option in "command|depth|nodes|time|eval|table|playouts|c|playout|.{0,6}",
        value in "\"[a-z ,=\\\\\"]{0,9}\",?|-?[0-9]{0,22}(ms|s|m)?|[a-z]{0,9}|nan|inf|1e400|.{0,8}",
    ) {
        for text in [text, format!("{name}:{option}={value}")] {
            let _ = parse_time(&text);
            if let Ok(spec) = text.parse::<Spec>() {
                let again = spec.to_string().parse();
                prop_assert_eq!(again.as_ref(), Ok(&spec));
                if let Err(error) = build(&Einstein::default(), &spec) {
                    prop_assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

/// It was once read as a name, and its text was then read back as another value.
#[test]
fn a_name_has_no_quotes() {
    for text in ["expecti:\0\"=\"\"", "expecti:a\"=\"b\"", "expecti:a\"b=3"] {
        let error = text.parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains("expected option=value"), "{error}");
    }
}

/// Found by the fuzz target `specs`: an agent that was typed or sent with a line break made
/// two lines of an error, which programs and logs take for two messages.
#[test]
fn whatever_was_typed_the_error_is_one_line() {
    for text in ["one\ntwo", "expecti:depth\n", "random:a\r=1", "expecti:depth=3\n4", ":\n"] {
        let spec = text.parse::<Spec>();
        let built = spec.and_then(|spec| build(&Einstein::default(), &spec).map(drop));
        let error = built.unwrap_err().to_string();
        assert!(!error.contains(['\n', '\r']), "{error:?}");
    }
}

#[test]
fn texts_come_back_and_mistakes_are_named() {
    for text in [
        "random",
        "expecti:depth=5,eval=zweistein",
        r#"cmd:"./engine --flag""#,
        r#"cmd:"say \"a, b\" c:\\d",protocol=ugi,option.Name="a,b""#,
    ] {
        assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
    }
    for (text, message) in [
        ("", "agent '': expected a name, as in expecti:depth=3"),
        ("expecti:", "agent 'expecti:': expected option=value after ':'"),
        ("expecti:depth", "agent 'expecti:depth': expected option=value, found 'depth'"),
        ("expecti:a=1,a=2", "agent 'expecti:a=1,a=2': option 'a' is given twice"),
        ("expecti:a=1,", "agent 'expecti:a=1,': expected option=value, found ''"),
        (r#"cmd:"x"#, r#"agent 'cmd:"x': expected a closing quote after 'x'"#),
        (r#"cmd:"""#, r#"agent 'cmd:""': expected a value for 'command' in its quotes"#),
        (r#"cmd:"x"y"#, r#"agent 'cmd:"x"y': expected ',' after a value in quotes, found 'y'"#),
    ] {
        assert_eq!(text.parse::<Spec>().unwrap_err().to_string(), message);
    }
}

/// Why no agent is built from a text, or `built`.
pub fn error(spec: &str) -> String {
    let spec: Spec = spec.parse().unwrap();
    build(&Einstein::default(), &spec)
        .err()
        .map_or_else(|| "built".into(), |error| error.to_string())
}

#[test]
fn every_agent_is_built_from_its_name() {
    for agent in agents().filter(|agent| agent.name != "cmd") {
        assert_eq!(error(agent.name), "built");
    }
    let command = "expected a command in quotes, as in cmd:\"./engine --flag\"";
    assert_eq!(error("cmd"), format!("agent 'cmd': {command}"));
    assert_eq!(error("cmd:\"./engine\",option.Hash=64"), "built");
    assert_eq!(error("expecti:depth=3,nodes=9,time=1s,eval=zweistein"), "built");
}

#[test]
fn mistakes_are_named_with_the_nearest_name() {
    for (spec, message) in [
        ("expecty", "agent 'expecty': unknown agent 'expecty': did you mean 'expecti'?"),
        (
            "expecti:detph=3",
            "agent 'expecti:detph=3': unknown option 'detph': did you mean 'depth'?",
        ),
        ("random:depth=3", "agent 'random:depth=3': unknown option 'depth': there are none here"),
        (
            "expecti:depth=0",
            "agent 'expecti:depth=0': depth=0: expected a whole number from 1 to 64",
        ),
        (
            "expecti:time=fast",
            "agent 'expecti:time=fast': time=fast: expected a time from 0.001ms to 1440m, such as 100ms or 2s",
        ),
        (
            "expecti:eval=zweisten",
            "agent 'expecti:eval=zweisten': unknown evaluation 'zweisten': did you mean 'zweistein'?",
        ),
    ] {
        assert_eq!(error(spec), message);
    }
}
