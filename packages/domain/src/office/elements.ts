// XML as a tree, however it was read.

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

/** The elements among what an element holds; of a name, where one is given. */
export function children(element: Element | undefined, name?: string): Element[] {
  return (element?.children ?? []).filter(
    (one): one is Element => typeof one !== 'string' && (name === undefined || one.name === name),
  )
}

/** The first of them. */
export function child(element: Element | undefined, name?: string): Element | undefined {
  return children(element, name)[0]
}

/** Down a path of names. */
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

/** A number in an attribute; undefined where there is none. */
export function numberAt(element: Element | undefined, attribute: string): number | undefined {
  const value = Number(element?.attributes[attribute] ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
