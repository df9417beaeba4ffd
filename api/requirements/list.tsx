/** A requirement, as lists of other things name it. */
export type RequirementName = { id: string; number: number; title: string }

export const RequirementLink = ({ of: { id, number, title } }: { of: RequirementName }) => (
  <a href={`/app/requirements/${id}`}>
    #{number} {title}
  </a>
)
