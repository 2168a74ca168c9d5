// Loaded on demand by this name, so that the bundler leaves out the rest of the format.
export { withSheetDraft } from '@cloudoc/office/workbook'
