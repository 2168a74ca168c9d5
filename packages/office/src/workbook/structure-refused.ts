/** Why a structure operation is refused. */
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

/** A refused structure operation, with its reason. */
export class StructureRefused extends Error {
  readonly why: StructureRefusal
  constructor(why: StructureRefusal) {
    super(why)
    this.why = why
  }
}
