// Reader of presentations: the content of each slide with its position.
import type { Slides } from '@cloudoc/contract'
import { readSlides } from '@cloudoc/domain/office'
import { Refused } from '../refusal.ts'
import { mainFile, openPackage } from './package.ts'
import type { Reader } from './reader.ts'

export const readPptx: Reader = ({ bytes, parts, progress }): Slides => {
  const office = openPackage(bytes, parts)
  const { path, root } = mainFile(office, 'ppt/presentation.xml')
  const deck = readSlides(office, path, root, { progress })
  if (deck.slides.length === 0) throw new Refused('conversionFailed', 'no slide in it')
  return deck
}
