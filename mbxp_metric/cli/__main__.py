from mbxp_metric.cli import main

main()
