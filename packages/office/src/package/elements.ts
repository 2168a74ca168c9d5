// A parsed XML tree, independent of the parser.

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

/** Returns the child elements, optionally only those with a name. */
export function children(element: Element | undefined, name?: string): Element[] {
  return (element?.children ?? []).filter(
    (one): one is Element => typeof one !== 'string' && (name === undefined || one.name === name),
  )
}

/** Returns the first child element. */
export function child(element: Element | undefined, name?: string): Element | undefined {
  return children(element, name)[0]
}

/** Returns the element at a path of names. */
export function at(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce(child, element)
}

export function* descendants(element: Element | undefined, name: string): Generator<Element> {
  for (const one of children(element)) {
    if (one.name === name) yield one
    yield* descendants(one, name)
  }
}

export function textOf(element: Element | undefined): string {
  return (element?.children ?? []).map((one) => (typeof one === 'string' ? one : textOf(one))).join('')
}

/** Returns a numeric attribute; undefined if missing or invalid. */
export function numberAt(element: Element | undefined, attribute: string): number | undefined {
  const value = Number(element?.attributes[attribute] ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

/** Returns the value of a property of a Word document. */
export const val = (element: Element | undefined): string | undefined => element?.attributes['w:val']
/** Whether a property that is on or off is on: its value counts, not its presence. */
export const isOn = (element: Element): boolean => !['0', 'false', 'off', 'none'].includes(val(element) ?? '1')
