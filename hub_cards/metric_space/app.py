"""Shows the metric's card. It executes no code of anyone."""

from pathlib import Path

import gradio as gr

CARD = Path(__file__).with_name("README.md").read_text(encoding="utf-8")

with gr.Blocks(title="mbxp_exec") as demo:
    gr.Markdown(CARD.split("---\n", 2)[2])

if __name__ == "__main__":
    demo.launch()
