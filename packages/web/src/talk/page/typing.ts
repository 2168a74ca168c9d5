// What typing and pasting into the field of a message means.

/** The word after the last @ before the caret, if it may be a name: after every character except those of addresses. */
export function mentionBefore(text: string): { readonly from: number; readonly word: string } | undefined {
  const match = /(^|[^A-Za-z0-9._-])[@＠]([^\s@＠]{0,20})$/u.exec(text)
  if (match === null) return undefined
  const [whole, before = '', word = ''] = match
  return { from: match.index + before.length, word: whole.length > 0 ? word : '' }
}

/** What was pasted: files to send; or text, with the picture of itself that can be sent instead. */
export interface Pasted {
  readonly files: readonly File[]
  readonly picture?: File | undefined
}

/**
 * Text wins where the clipboard has text: cells and paragraphs come with a picture of themselves. Files that were copied
 * in the file manager are sent, although some systems add their names as text.
 */
export function pastedFrom(data: Pick<DataTransfer, 'files' | 'getData'>): Pasted {
  const files = [...data.files]
  const text = data.getData('text/plain').trim()
  const names = text.split(/\r?\n/).map((line) => line.trim().replace(/^.*[/\\]/, ''))
  const isNames = files.length > 0 && files.every(({ name }) => names.includes(name))
  if (text === '' || isNames) return { files }
  return { files: [], picture: files.find(({ type }) => type.startsWith('image/')) }
}
