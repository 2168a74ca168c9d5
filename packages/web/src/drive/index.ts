// What other areas use of the drive.
export type { FolderPage } from './files/menu.tsx'
export { grantableOptions as givingRights, rightsLabel as rightsText } from './rights/rights-labels.ts'
