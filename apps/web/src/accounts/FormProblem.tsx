/** Why a form was refused. */
export function FormProblem({ problem }: { readonly problem: string | undefined }) {
  return problem === undefined ? null : (
    <p role="alert" className="rounded-control bg-bad-weak px-3 py-2 text-13 text-bad">
      {problem}
    </p>
  );
}
