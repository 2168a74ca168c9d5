// Finds many words in a text in one pass (Aho and Corasick), however many words there are.

/** One word in a text. */
export interface FoundWord {
  /** Its index among the words given. */
  readonly word: number
  readonly start: number
  readonly end: number
}

interface Node {
  readonly next: Map<number, Node>
  /** The words that end here. */
  readonly words: number[]
  fail: Node | undefined
  /** The nearest node on the way of `fail` where a word ends. */
  shorter: Node | undefined
}

const node = (): Node => ({ next: new Map(), words: [], fail: undefined, shorter: undefined })

/** Prepares a search for words; empty words are never found. */
export function wordFinder(words: readonly string[]): (text: string) => FoundWord[] {
  const root = node()
  for (const [index, word] of words.entries()) {
    if (word === '') continue
    let at = root
    for (let n = 0; n < word.length; n++) {
      const code = word.charCodeAt(n)
      let to = at.next.get(code)
      if (to === undefined) at.next.set(code, (to = node()))
      at = to
    }
    at.words.push(index)
  }
  const queue = [...root.next.values()]
  for (const one of queue) one.fail = root
  for (let head = 0; head < queue.length; head++) {
    const one = queue[head] as Node
    for (const [code, child] of one.next) {
      let fail = one.fail
      while (fail !== undefined && !fail.next.has(code)) fail = fail.fail
      child.fail = fail?.next.get(code) ?? root
      child.shorter = child.fail.words.length > 0 ? child.fail : child.fail.shorter
      queue.push(child)
    }
  }
  return (text) => {
    const found: FoundWord[] = []
    let at = root
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n)
      while (at !== root && !at.next.has(code)) at = at.fail ?? root
      at = at.next.get(code) ?? root
      for (let end: Node | undefined = at; end !== undefined; end = end.shorter)
        for (const word of end.words) found.push({ word, start: n + 1 - (words[word] as string).length, end: n + 1 })
    }
    return found
  }
}
