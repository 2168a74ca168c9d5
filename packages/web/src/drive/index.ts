// What other areas use of the drive.
export { Effect as RightsEffect } from './rights/change-effect.tsx'
export { givingOptions as givingRights, maskText as rightsText } from './rights/rights-labels.ts'
export { SearchBox } from './search/search-box.tsx'
