// What other areas take of people and departments: rows of forms, the names of levels, tables as files.
export { Field, Input, useLevels } from './shared/form-parts.tsx'
export { saveTable } from './sheets/files.ts'
