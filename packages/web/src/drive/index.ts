// What other areas use of the drive.
export { grantableOptions as givingRights, rightsLabel as rightsText } from './rights/rights-labels.ts'
