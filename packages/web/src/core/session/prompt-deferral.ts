// What a question of the page must not break into: a name that is being typed (X46).
let deferrals = 0
let waiting: (() => void)[] = []

/** Holds questions back until the function that it answers is called. */
export function deferPrompts(): () => void {
  let isHolding = true
  deferrals += 1
  return () => {
    if (!isHolding) return
    isHolding = false
    deferrals -= 1
    if (deferrals > 0) return
    for (const go of waiting) go()
    waiting = []
  }
}

/** When a question breaks into nothing. */
export async function whenPromptsAllowed(): Promise<void> {
  if (deferrals > 0) await new Promise<void>((go) => waiting.push(go))
}
