"""The notebooks of the repository run from their first cell to their last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

NOTEBOOKS = ROOT / "examples" / "notebooks"

pytestmark = pytest.mark.skipif(not NOTEBOOKS.exists(), reason="the package is tested outside the repository")


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    # Figures would grow stale, and every run would be a change.
    cells: list[dict[str, Any]] = json.loads(path.read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code and all((cell["outputs"], cell["execution_count"]) == ([], None) for cell in code)


@pytest.mark.parametrize(
    ("name", "needs", "shown"),
    [
        ("play_and_analyse", [], ["image/svg+xml", "image/svg+xml", "image/svg+xml"]),
        ("luck_and_skill", ["matplotlib"], ["image/png"]),
        ("train_in_pytorch", ["torch"], []),
    ],
)
def test_a_notebook_runs(name: str, needs: list[str], shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ipykernel", *needs):
        pytest.importorskip(module)
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook: Any = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    client: Any = nbclient.NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(NOTEBOOKS)}})
    client.execute()
    outputs: list[dict[str, Any]] = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    pictures = [kind for output in outputs for kind in output.get("data", {}) if kind.startswith("image/")]
    assert pictures == shown
