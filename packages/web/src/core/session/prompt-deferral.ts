// Defers dialogs that must not interrupt the user, for example while a name is being typed (X46).
let deferrals = 0
let waiting: (() => void)[] = []

/** Defers dialogs until the returned function is called. */
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

/** Resolves when no dialog is deferred. */
export async function whenPromptsAllowed(): Promise<void> {
  if (deferrals > 0) await new Promise<void>((go) => waiting.push(go))
}
