/** Why the build of a workbook stays as it is. */
export type StructureRefusal =
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
export class StructureRefused extends Error {
  readonly why: StructureRefusal
  constructor(why: StructureRefusal) {
    super(why)
    this.why = why
  }
}
