export { type FrameWords, frameKey, frameNameOf, frameWords, withFrameWords } from './coedit-slides.ts'
export { gradientLine } from './gradients.ts'
export { readSlides, type SlideObject } from './read-slides.ts'
export {
  parseSlideChange,
  type RestructuredSlides,
  rebasedFrames,
  removesFrames,
  restructuredSlides,
  type SlidesRebase,
} from './restructured-slides.ts'
export { type ShapeBox, type ShapeForm, shapeForms } from './slide-shapes.ts'
export type { SlideChange } from './slide-structure.ts'
export { type Deck, openSlides, type SlidePlace, withSlidesDraft } from './slides.ts'
