// Buttons and sliders beside the number fields.
export function steppers(form) {
  for (const amount of form.querySelectorAll(".amount")) {
    const number = amount.querySelector("input[type=number]");
    const slider = amount.querySelector("input[type=range]");
    for (const button of amount.querySelectorAll("button")) {
      button.addEventListener("click", () => {
        const next = Number(number.value) + Number(button.dataset.step) * Number(number.dataset.stepBy);
        const wanted = number.value === "" ? Number(number.dataset.first) : next;
        number.value = Math.min(Math.max(wanted, Number(number.min)), Number(number.max));
        if (slider) slider.value = number.value;
      });
    }
    slider?.addEventListener("input", () => { number.value = slider.value; });
    number.addEventListener("input", () => { if (slider) slider.value = number.value || 0; });
  }
}
