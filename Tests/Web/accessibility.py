"""The accessibility check: axe-core, where the script found it, on the page as it stands."""

import os
import pathlib

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_source():
    """The text of axe.min.js, from the folder that scripts/test web puts it into."""
    folder = pathlib.Path(os.environ["PROMISED_AXE"])
    return next(folder.rglob("axe.min.js")).read_text(encoding="utf-8")


def findings(browser):
    """The findings of axe-core, one line for each element."""
    driver = browser.driver
    if not driver.execute_script("return 'axe' in window"):
        driver.execute_script(axe_source())
    driver.set_script_timeout(60)
    result = driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run(document, { runOnly: { type: 'tag', values: arguments[0] }, resultTypes: ['violations'] })
          .then(done, (error) => done({ violations: [{ id: String(error), impact: '', help: '', nodes: [] }] }));
    """, RULES)
    lines = []
    for violation in result["violations"]:
        for node in violation["nodes"] or [{"target": [], "failureSummary": ""}]:
            lines.append(f"{violation['id']} ({violation['impact']}): {violation['help']}: {node['target']} "
                         f"{node['failureSummary'].splitlines()[-1:]}")
    return lines
