/** The page of an environment's policy. @param environment its name; without it, a form adds it */
export const policyPath = (project_id: string, environment?: string): string => {
  const path = `/app/projects/${project_id}/environment/policy`
  return environment === undefined ? path : `${path}?${new URLSearchParams({ name: environment })}`
}

/** The page of an environment. Its name is a parameter: in a path, names such as `..` would have another meaning. */
export const environmentPath = (project_id: string, environment: string): string =>
  `/app/projects/${project_id}/environment?${new URLSearchParams({ name: environment })}`
