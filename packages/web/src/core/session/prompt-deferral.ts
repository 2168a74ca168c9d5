// What a question of the page must not break into: a name that is being typed (X46).
let held = 0
let waiting: (() => void)[] = []

/** Holds questions back until the function that it answers is called. */
export function holdQuestions(): () => void {
  let isHolding = true
  held += 1
  return () => {
    if (!isHolding) return
    isHolding = false
    held -= 1
    if (held > 0) return
    for (const go of waiting) go()
    waiting = []
  }
}

/** When a question breaks into nothing. */
export async function undisturbed(): Promise<void> {
  if (held > 0) await new Promise<void>((go) => waiting.push(go))
}
