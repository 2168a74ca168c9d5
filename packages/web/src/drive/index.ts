// What other areas use of the drive.
export { grantableOptions as givingRights, rightsLabel as rightsText } from './rights/rights-labels.ts'
export { SearchBox } from './search/search-box.tsx'
