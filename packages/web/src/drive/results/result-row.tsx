// The row of a search result: its name with the terms highlighted, the passages, and why it was found.
import type { ItemRecord, SearchHighlight, SearchPassage } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import type { Translate } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { isFolder, isLink, keyOf } from '../../items/item/item.ts'
import type { SearchTarget } from '../../items/item/search-target.ts'
import type { SearchInfo } from '../../items/lists/search-source.ts'
import type { RowRenderer } from '../files/grid/list-source.ts'
import { markMatches } from '../search/name-match.ts'
import { passageLocationLabel } from './filter-labels.ts'

export const resultRowHeight = 76

/** Returns the typed text as terms to highlight. */
export function markable(keyword: string): string {
  return keyword
    .replace(/(^|\s)-\S+/g, ' ')
    .replace(/["“”]/g, ' ')
    .trim()
}

export function resultRowRenderer(keyword: string, info: SearchInfo | undefined, t: Translate): RowRenderer {
  const words = info?.looser?.join(' ') ?? markable(keyword)
  const said = (item: ItemRecord): SearchHighlight | undefined => info?.highlights.get(keyOf(item))
  return {
    height: resultRowHeight,
    name: (item) => (
      <span className="dr-name dr-result-name" title={item.fName}>
        {markMatches(item.fName, words, item.nameSort).map(({ text, hit }, n) =>
          hit ? <mark key={n}>{text}</mark> : text,
        )}
      </span>
    ),
    below: (item) => <Below item={item} said={said(item)} t={t} />,
  }
}

function Below({
  item,
  said,
  t,
}: {
  readonly item: ItemRecord
  readonly said: SearchHighlight | undefined
  readonly t: Translate
}): ReactNode {
  const why = (said?.in ?? []).map((one) =>
    one === 'content' ? t('search.in.content', { n: said?.times ?? 0 }) : t(`search.in.${one}`),
  )
  const path = item.pathString.split('/').filter(Boolean).map(isolated).join(' › ')
  const size = isFolder(item) || isLink(item) ? '' : formatSize(item.fileSize, 1)
  const passage = said?.passage
  return (
    <>
      {passage && (
        <span className="dr-result-passage">
          <Passage passage={passage} t={t} />
        </span>
      )}
      <small className="dr-result-why" title={path}>
        {[...why, path, size].filter(Boolean).join(' · ')}
      </small>
    </>
  )
}

/** Returns the terms of a passage, and the index of the match among those with the same terms. */
export function searchTargetOf(passages: readonly SearchPassage[], n: number): SearchTarget | undefined {
  const marked = ({ text, marks }: SearchPassage): string[] =>
    marks.map(({ from, to }) => text.slice(from, to).toLowerCase())
  const [words] = passages.slice(n, n + 1).flatMap(marked)
  if (words === undefined) return undefined
  return {
    words,
    hit: passages
      .slice(0, n)
      .flatMap(marked)
      .filter((one) => one === words).length,
  }
}

/** A passage with its terms highlighted, after its location in the document. */
export function Passage({ passage, t }: { readonly passage: SearchPassage; readonly t: Translate }): ReactNode {
  const where = passageLocationLabel(passage, t)
  const { text, marks } = passage
  const pieces = marks.flatMap(({ from, to }, n) => [
    text.slice(marks[n - 1]?.to ?? 0, from),
    <mark key={from}>{text.slice(from, to)}</mark>,
  ])
  return (
    <>
      {where !== '' && <b className="dr-where">{where}</b>}
      <span>
        {pieces}
        {text.slice(marks.at(-1)?.to ?? 0)}
      </span>
    </>
  )
}
