// Packages of Word documents made of XML texts, for tests of their reader.
import { readFlow } from '../src/document/read-flow.ts'
import type { FlowPackage } from '../src/document/story.ts'
import { treeOf } from '../src/package/xml.ts'
import type { Block, Flow } from '../src/rendition/index.ts'

/** A paragraph of one run, with its properties and those of its run. */
export const paragraph = (text: string, pPr = '', rPr = ''): string =>
  `<w:p>${pPr && `<w:pPr>${pPr}</w:pPr>`}<w:r>${rPr && `<w:rPr>${rPr}</w:rPr>`}<w:t>${text}</w:t></w:r></w:p>`
export const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`
export const numbered = (id: number, level = 0): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`
export const pageSection = (width: number, height: number, more = ''): string =>
  `<w:sectPr>${more}<w:pgSz w:w="${width}" w:h="${height}"/></w:sectPr>`

/** A reading of a document; `parts` are the parts beside it by the type of their relationship, with their inner XML. */
export function flowOf(body: string, parts: Readonly<Record<string, string>> = {}): Flow {
  const main = `<w:document><w:body>${body}</w:body></w:document>`
  const office: FlowPackage = {
    xml: (path) => (parts[path] === undefined ? undefined : treeOf(`<w:root>${parts[path]}</w:root>`)),
    relations: () =>
      new Map(
        Object.keys(parts).map(
          (path) => [path, { type: path.replace(/\d+$/, ''), target: path, address: '' }] as const,
        ),
      ),
    picture: (path) => (path.startsWith('image') ? 1 : undefined),
  }
  return readFlow(office, 'document', treeOf(main))
}

/** The text of blocks: a line for each paragraph with its number, and for each row of a table. */
export function linesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block): string[] => {
    if (block.is === 'table')
      return block.rows.map((row) => row.map(({ blocks: inside }) => linesOf(inside).join('⏎')).join(' ¦ '))
    if (block.is !== 'text') return [`(${block.is})`]
    const words = block.runs.map(({ text = '', field, missing }) => (field && `{${field}}`) ?? missing?.what ?? text)
    return [`${block.mark === undefined ? '' : `[${block.mark}] `}${words.join('')}`]
  })
}
