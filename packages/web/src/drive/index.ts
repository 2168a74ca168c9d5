// What other areas use of the drive.
export { Effect as RightsEffect } from './rights/effect.tsx'
export { givingOptions as givingRights, maskText as rightsText } from './rights/words.ts'
export { SearchBox } from './search/search-box.tsx'
