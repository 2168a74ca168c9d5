/** Why the build of a workbook stays as it is. */
export type Kept =
  | 'protected'
  | 'array'
  | 'table'
  | 'comments'
  | 'pivot'
  | 'filter'
  | 'tableFilter'
  | 'filled'
  | 'meets'
  | 'other'
  | 'structure'
  | 'name'
  | 'lastSheet'
  | 'macros'

/** Says why the build of a workbook is left as it is. */
export class StructureKept extends Error {
  readonly why: Kept
  constructor(why: Kept) {
    super(why)
    this.why = why
  }
}
