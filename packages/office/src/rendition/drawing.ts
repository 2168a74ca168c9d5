// What a chart is drawn as. Lengths are CSS pixels, colours `#rrggbb`.

/** A shape as SVG path, or a text at a position. */
export type DrawnMark =
  | {
      readonly path: string
      readonly fill?: string
      readonly line?: string
      readonly thick?: number
      /** What is told of the shape when it is pointed at. */
      readonly title?: string
      readonly text?: undefined
    }
  | {
      readonly text: string
      readonly x: number
      readonly y: number
      readonly size: number
      readonly color: string
      readonly anchor?: 'middle' | 'end'
      readonly path?: undefined
    }

/** A chart as drawn for this size, in z-order: the first mark is at the bottom. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly marks: readonly DrawnMark[]
}
