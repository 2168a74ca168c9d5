// An Enter that ends an IME composition (Chinese input) belongs to the input method and never submits a form.

interface KeyPress {
  readonly key: string
  readonly keyCode: number
  readonly isComposing?: boolean
  readonly nativeEvent?: { readonly isComposing: boolean }
}

/** True while an input method composes. Safari ends a composition with keyCode 229 and isComposing false. */
export function isComposing(event: KeyPress): boolean {
  return event.isComposing === true || event.nativeEvent?.isComposing === true || event.keyCode === 229
}

/** True for an Enter that commits the input, never for one that picks an IME candidate. */
export function isCommitEnter(event: KeyPress): boolean {
  return event.key === 'Enter' && !isComposing(event)
}
