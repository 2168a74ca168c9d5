// Reader of presentations: the content of each slide with its position.
import type { Slides } from '@cloudoc/contract'
import { readSlides } from '@cloudoc/office/presentation'
import { Refused } from '../refusal.ts'
import { ownersOf, reportHidden } from './hidden-office.ts'
import { mainFile, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { child, children } from './xml.ts'

export const readPptx: Reader = ({ bytes, parts, progress, hidden }): Slides => {
  const office = openPackage(bytes, parts)
  const { path, root } = mainFile(office, 'ppt/presentation.xml')
  const deck = readSlides(office, path, root, { progress })
  if (deck.slides.length === 0) throw new Refused('conversionFailed', 'no slide in it')
  if (hidden !== undefined) {
    const relations = office.relations(path)
    const files = children(child(root, 'p:sldIdLst'), 'p:sldId').map(
      ({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? '',
    )
    const owners = ownersOf(
      office,
      files.map((file, n) => [file, { kind: 'slide', name: String(n + 1) }]),
    )
    const notes = new Set(deck.slides.flatMap(({ notes: said = '' }) => said.split('\n').map((line) => line.trim())))
    reportHidden(office, hidden, { usual: { kind: 'whole', name: '' }, owners, notes })
  }
  return deck
}
