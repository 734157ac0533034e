def extract(answer, problem):
    return ""
